"""What one person alone is shown."""
