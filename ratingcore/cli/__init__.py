"""The command line, which writes data to stdout and messages to stderr.

A command is in the module with its name (`list` in `list_`) or with the name of its family (`void` in `corrections`).
`main` lists all commands, each with a sentence, so that a command's module is imported only when the command runs.
`options` holds the options that many commands share, and `question` finds the log, the pool and the cuts. `output`
writes rows in every format, `console` writes messages and gives every error its exit code, and `files` makes new files.
"""
