"""What work shared among workers needs: logs in a file and in PostgreSQL."""

from tests.log import conftest

server = conftest.server
address = conftest.address
