"""`python -m lasthop` is `lasthop`."""

from lasthop.cli import main

if __name__ == "__main__":
    main()
