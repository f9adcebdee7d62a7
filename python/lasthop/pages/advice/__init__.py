"""The files of an advice."""
