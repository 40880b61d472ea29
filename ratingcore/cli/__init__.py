"""The command line: data on stdout, messages on stderr.

A command lives in the module of its name (`list` in `list_`) or of its family (`void` in `corrections`). `main` lists
all commands with a sentence each, so that a command's module, which imports what it needs at its top, is imported only
when the command runs. `options` holds what many commands take, `question` finds log, pool and cuts, `output` writes
rows in every format, `console` writes messages and gives every error its exit code, `files` makes new files.
"""
