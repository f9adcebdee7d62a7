"""Figures and pages, the recipes in them, and the classroom."""
