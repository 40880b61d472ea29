"""Runs the command line as `python -m ratingcore`."""

from ratingcore.cli.main import main

if __name__ == "__main__":
    main()
