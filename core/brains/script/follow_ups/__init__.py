"""What the scripted brain asks about lines that people gave: one small function a kind."""
