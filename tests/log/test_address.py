"""Addresses of logs: what is a file, what is refused as one, and that no message shows a secret."""

from pathlib import Path

import pytest

from ratingcore.errors import LogUnavailable, StoreNotFound
from ratingcore.log import SqliteLog
from ratingcore.log.address import file_address, file_path
from ratingcore.registry import Registry
from ratingcore.registry.stores import address_of


def test_a_path_is_a_file_and_shown_as_it_is(tmp_path: Path) -> None:
    address = address_of(tmp_path / "club.db")
    assert (address.is_file, str(address)) == (True, str(tmp_path / "club.db"))
    assert file_address("club.db").text == str(Path.cwd() / "club.db")
    assert str(address_of("mysql/a:b@c.db")) == "mysql/a:b@c.db"


@pytest.mark.parametrize(
    "text",
    [
        "postgresql:ann:secret@db", "postgresql:/ann:secret@db/league", "postgresql//ann:secret@db/league",
        " postgresql://ann:secret@db/league", "\ufeff'postgresql://ann:secret@db/league'",
        "jdbc:postgresql://db/league?user=ann&password=secret", "ann:secret@db/league", "ann:sec/secret@db",
        "host=db user=ann password=secret", "PASSWORD = 'secret' host=db", "dbname=league",
    ],
)  # fmt: skip
def test_what_looks_like_an_address_is_no_file(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for take in (address_of, SqliteLog, file_path):
        with pytest.raises(LogUnavailable, match="looks like the address of a database, but is not one") as raised:
            take(text)
        assert "secret" not in str(raised.value) + repr(raised.value) + raised.value.hint
    assert not [*tmp_path.iterdir()]
    assert str(address_of(tmp_path / text.replace("/", "_"))).startswith(str(tmp_path))


@pytest.mark.parametrize("scheme", ["postgresql+psycopg", "PostgreSQL", "mysql"])
def test_an_address_of_a_scheme_that_no_store_has_is_refused(scheme: str) -> None:
    with pytest.raises(StoreNotFound, match=r"no store for .*:// is installed") as raised:
        address_of(f"{scheme}://ann:secret@db/league")
    assert "secret" not in str(raised.value) + repr(raised.value) + raised.value.hint


def test_without_a_store_an_address_names_what_is_missing() -> None:
    with pytest.raises(StoreNotFound, match="installed are none") as raised:
        address_of("postgresql://ann:secret@db/league", Registry())
    assert raised.value.hint == "the plugin ratingcore_postgres offers it: pip install 'ratingcore[postgres]'"


def test_an_address_of_a_database_is_no_file() -> None:
    with pytest.raises(LogUnavailable, match=r"cannot use postgresql://...: only a file"):
        SqliteLog("postgresql://ann:secret@db/league")
