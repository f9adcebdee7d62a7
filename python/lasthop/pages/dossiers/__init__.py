"""The page of an evaluation by RFC 9743."""
