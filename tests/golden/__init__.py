"""Published numbers: files of cases in the format of fixtures/golden/README.md, run against the installed methods."""
