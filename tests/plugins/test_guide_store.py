"""A toy store that keeps JSON lines, written from the section of the guide alone, and the promises it keeps."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.plugin import hookimpl
from ratingcore.plugin.stores import Address, Log, NoSuchLog, SqliteLog, Store, export_lines, load_lines
from ratingcore.registry import Registry
from ratingcore.testing import check_store

SCHEME = "lines://"


class LinesLog(SqliteLog):
    """A log in a file of JSON lines, written anew after every transaction."""

    def __init__(self, file: Path) -> None:
        super().__init__(":memory:")
        self._lines, self._depth = file, 0
        if file.exists():
            self._depth = 1  # what is loaded is in the file already
            load_lines(self, file.read_text(encoding="utf-8").splitlines())
            self._depth = 0

    @property
    def address(self) -> Address:
        return Address(f"{SCHEME}{self._lines}", f"{SCHEME}{self._lines}")

    @contextmanager
    def writing(self) -> Iterator[None]:
        self._depth += 1
        try:
            with super().writing():
                yield
        finally:
            self._depth -= 1
        if not self._depth:
            self._lines.write_text("\n".join(export_lines(self)) + "\n", encoding="utf-8")


def open_lines(address: str, /, *, read_only: bool = False, timeout: float | None = None) -> Log:
    file = Path(address.removeprefix(SCHEME))
    if read_only and not file.exists():
        raise NoSuchLog(address)
    return LinesLog(file)


@hookimpl
def ratingcore_stores() -> list[Store]:
    return [Store(("lines",), open_lines, str)]


class Plugin:
    ratingcore_stores = staticmethod(ratingcore_stores)


def test_it_keeps_the_promises_of_a_store(tmp_path: Path) -> None:
    numbers = count()
    check_store(lambda: open_lines(f"{SCHEME}{tmp_path / f'{next(numbers)}.jsonl'}"))


def test_it_is_opened_by_its_address_and_opens_again(tmp_path: Path) -> None:
    registry = Registry.installed()
    registry.register(Plugin, "lines")
    address = f"{SCHEME}{tmp_path / 'club.jsonl'}"
    with rc.open(address, registry=registry, columns=tmp_path / "columns") as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        head, listed = engine.log.head, engine.rating_list("rapid", "elo")
    with rc.open(address, registry=registry, columns=tmp_path / "columns") as engine:
        assert engine.log.head == head
        assert engine.rating_list("rapid", "elo").digest == listed.digest
    with pytest.raises(NoSuchLog):
        rc.open(f"{SCHEME}{tmp_path / 'none.jsonl'}", registry=registry, read_only=True)
