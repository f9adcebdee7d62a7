"""Janevski and Petrov 2011: five variants of TCP beside film, game and chat over 802.11g."""
