"""Recipes: what a figure or a report carries, so that it can be made again and compared.

`recipe` says what is in one, `embedding` puts it into files and takes it out, `rerunning` makes the file again,
`comparing` says what differs.
"""
