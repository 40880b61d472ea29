"""A club, a way to run commands on it, other processes, and plugins that fail."""

from tests.cli import conftest
from tests.log import conftest as logs
from tests.registry import test_failing_plugins as failing

run, club = conftest.run, conftest.club
forking, workers, sqlite_log = logs.forking, logs.workers, logs.sqlite_log
plug = failing.plug
