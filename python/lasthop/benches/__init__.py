"""Fixed workloads of `lasthop bench`."""
