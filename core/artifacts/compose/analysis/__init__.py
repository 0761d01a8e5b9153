"""The artifacts of the analysis flow, a module for each kind of file."""
