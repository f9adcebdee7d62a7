"""Petrovic and Aboelaze 2003: TCP over one 802.11 cell with a bursty channel, RTS/CTS and FEC."""
