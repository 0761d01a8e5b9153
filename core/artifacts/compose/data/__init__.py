"""Files of data: what each step gives to one, and what the file holds."""
