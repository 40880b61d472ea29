"""Published numbers: files of cases in the format of METHODS 15, run against the installed methods."""
