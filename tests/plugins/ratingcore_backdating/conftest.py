"""A way to run commands in a folder of their own."""

from tests.cli import conftest

run = conftest.run
