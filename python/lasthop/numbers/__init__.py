"""Statistics, tables, quantities and metrics: they know no simulator."""
