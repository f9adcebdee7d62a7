"""The speed of lasthop beside that of ns-2 and ns-3 on the same work, and how it grows: `make bench-peers`."""
