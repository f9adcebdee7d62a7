"""Balakrishnan, Padmanabhan, Seshan and Katz 1997: who repairs the losses of a radio link best."""
