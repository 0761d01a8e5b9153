"""What a line is: by its topic, by its group, by its form, and what is demanded in it besides."""
