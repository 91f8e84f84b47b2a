"""The board: the page of a hand, each step of it, every way to look at it."""
