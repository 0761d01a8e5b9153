"""What people decide at a step, and the options that they put there."""
