"""What every rule of the engine works with: the situation, the turn, the transition."""
