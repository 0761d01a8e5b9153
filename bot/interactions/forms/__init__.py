"""Modals: how each form is opened, and what a submitted one becomes."""
