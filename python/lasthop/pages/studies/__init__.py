"""Figures and pages of studies and of single runs within them."""
