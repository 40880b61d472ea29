"""The club of the commands, for tests of commands that this plugin has."""

from tests.cli.conftest import club, run  # noqa: F401  # fixtures
