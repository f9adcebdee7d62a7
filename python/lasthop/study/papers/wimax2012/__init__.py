"""Tsiknas and Stamatelos 2012: variants of TCP over 802.16 and 802.11b, and a hybrid of two of them."""
