"""What hosts need: a server, and logs in both stores."""

from tests.log import conftest

server = conftest.server
address = conftest.address
collect_ignore_glob = ["*/site.py"]
"""Programs that serve until they are killed: they take their settings from variables of the environment."""
