"""``python -m rootward``: the command line."""

from rootward.cli import main

if __name__ == "__main__":
    main()
