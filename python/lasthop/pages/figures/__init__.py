"""Figures in one style, safe for colour-blind readers, with units on every axis."""
