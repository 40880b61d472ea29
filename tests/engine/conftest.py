"""Logs in every installed store, for the questions that each has to answer alike."""

from tests.log import conftest

in_store, places, memory_log = conftest.in_store, conftest.places, conftest.memory_log
