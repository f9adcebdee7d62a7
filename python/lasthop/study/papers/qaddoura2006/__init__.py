"""Qaddoura and others 2006: split connections and the maximum achievable throughput of a mixed network."""
