"""The command line: data on stdout, messages on stderr.

A command lives in the module of its name: `list` in `list_`, `catch-up` in `catch_up`. `main` holds their table,
`exit_codes` the exit code of every error, `console` what is printed to stderr, `output` rows in every format,
`options` what many commands take, `correction` what commands that correct share.

A command imports whatever needs numpy inside its function, so that help appears at once.
"""
