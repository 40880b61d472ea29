"""What work shared among workers needs: logs in a file and in every installed store."""

from tests.log import conftest

in_store, places = conftest.in_store, conftest.places
address = conftest.address
