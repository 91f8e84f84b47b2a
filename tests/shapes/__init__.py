"""Tests of `replay.shapes`, all against one plain search."""
