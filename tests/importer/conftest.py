"""Logs in every installed store, for imports that each has to keep alike."""

from tests.log import conftest

address, places, stranger = conftest.address, conftest.places, conftest.stranger
forking, workers = conftest.forking, conftest.workers
