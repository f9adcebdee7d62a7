"""Heusse, Rousseau, Berger-Sabbatel and Duda 2003: one slow host slows down all hosts of an 802.11b cell."""
