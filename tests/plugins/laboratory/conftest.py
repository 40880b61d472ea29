"""A way to run commands in a folder of their own."""

from tests.cli.conftest import run

__all__ = ["run"]
