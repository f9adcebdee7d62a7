"""`python -m lasthop` is `lasthop`."""

if __name__ == "__main__":
    from lasthop.entry import main

    main()
