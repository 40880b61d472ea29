"""`python -m ratingcore`: the command line."""

from ratingcore.cli.main import main

if __name__ == "__main__":
    main()
