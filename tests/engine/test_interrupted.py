"""Errors that come from outside while a plugin runs, as time limits of task queues do: they stay what they are."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.errors import PluginFails
from ratingcore.plugin import hookimpl
from ratingcore.registry import Registry


class TimeIsUp(BaseException):
    """What a task queue raises in a thread, at whatever line it is."""


class SoftTimeIsUp(Exception):
    """The same, of a queue whose limit is an ordinary error."""


class Slow:
    """A plugin whose reader is interrupted after its first game."""

    def __init__(self, error: type[BaseException]) -> None:
        self.error = error

    @hookimpl
    def ratingcore_readers(self) -> dict[str, object]:
        def read(path: Path) -> Iterator[rc.GamePlayed]:
            yield rc.GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0)
            raise self.error

        return {"slow": read}


def _registry(error: type[BaseException]) -> Registry:
    registry = Registry.installed()
    registry.register(Slow(error), "slow")
    return registry


@pytest.mark.parametrize(("error", "raised"), [(TimeIsUp, TimeIsUp), (SoftTimeIsUp, PluginFails)])
def test_a_reader_that_is_interrupted_leaves_nothing_open(
    error: type[BaseException], raised: type[BaseException], tmp_path: Path
) -> None:
    """A fixed bug: a time limit was reported as a fault of the plugin whose line it met."""
    file = tmp_path / "games.slow"
    file.write_text("x")
    with rc.open(tmp_path / "club.db", registry=_registry(error)) as engine:
        with pytest.raises(raised) as caught:
            engine.import_file(file, reader="slow")
        assert error in (type(caught.value), type(caught.value.__cause__))
        assert engine.log.head.position == 0
        receipt = engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
        assert receipt.accepted == 1


def test_a_method_that_is_interrupted_is_not_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: object) -> None:
        raise TimeIsUp

    with rc.open(":memory:") as engine:
        engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
        monkeypatch.setattr(type(engine.registry.method("elo")), "_rated", interrupted)
        with pytest.raises(TimeIsUp):
            engine.rating_list("p", "elo:period=month")
