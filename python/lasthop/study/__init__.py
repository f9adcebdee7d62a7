"""Studies: a scenario run over axes and replications, into a store that survives anything.

`reader` reads a study file, `cells` checks and names its cells, `plan` finds missing replications,
`computing` computes them, `batches` and `store` keep them, `sweeping` leads, `swept` shows results.
`executors`, `dask` and `slurm` choose the machines.
"""
