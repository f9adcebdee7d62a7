"""Bianchi 2000: the saturation throughput of 802.11's distributed coordination function, by his model."""
