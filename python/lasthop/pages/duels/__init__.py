"""The page and the map of a duel."""
