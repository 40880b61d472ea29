"""Logs in every installed store, whose columns have to be alike."""

from tests.log import conftest

address, places = conftest.address, conftest.places
