"""Cases: a dispute about a hand, from its opening to the last decision; what was said in one is never changed."""
