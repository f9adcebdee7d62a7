"""Measurements and captures read, paths fitted to them, runs written in the formats of other tools."""
