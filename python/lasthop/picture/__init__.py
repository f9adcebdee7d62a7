"""One run in pictures: a page of its own, made of a document with probes.

`charting` makes plain series, which the scripts beside the reports draw; `page` puts them into one file.
"""
