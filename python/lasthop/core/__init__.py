"""Scenarios, laws, runs and jobs: the only way into the compiled module."""
