"""One run in pictures: a page of its own, made of a document with probes.

The core prepares the panels (crates/panels), also for the playground; the scripts beside the reports draw them,
and `page` puts both into one file.
"""
