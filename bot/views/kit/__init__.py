"""The parts every view is made of: blocks, menus, text, names, links."""
