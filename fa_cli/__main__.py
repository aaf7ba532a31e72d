"""`python -m fa_cli` is `fa`."""

from .cli.app import main

if __name__ == "__main__":
    main()
