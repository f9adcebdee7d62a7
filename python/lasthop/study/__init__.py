"""Studies: a scenario run over axes and replications, into a store that survives anything.

`reader` reads a study file, `cells` checks and names its cells, `plan` says what is missing, `computing`
computes it, `batches` and `store` keep it, `sweeping` leads, `results` shows. `executors`, `dask` and
`slurm` say who computes.
"""
