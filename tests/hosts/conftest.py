"""What hosts need: logs in a file and in every installed store."""

from tests.log import conftest

places = conftest.places
address = conftest.address
collect_ignore_glob = ["*/site.py"]
"""Programs that serve until they are killed: they take their settings from variables of the environment."""
