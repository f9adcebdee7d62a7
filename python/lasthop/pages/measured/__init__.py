"""The page and the figure of a comparison with measurements."""
