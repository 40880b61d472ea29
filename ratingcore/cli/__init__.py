"""The command line: one file per noun; data on stdout, talk on stderr, exit codes 0, 1 and 2.

Only `click` and the standard library are imported here at once; whatever needs numpy is imported inside
the command that needs it, so that help is there at once.
"""
