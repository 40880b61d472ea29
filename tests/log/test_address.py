"""Addresses of logs: which log they name, what libpq gets of them, and that no message shows a password."""

from pathlib import Path

import pytest

from ratingcore.errors import LogUnavailable
from ratingcore.log import SqliteLog
from ratingcore.log.address import Address, file_path


def test_a_path_is_a_file_and_shown_as_it_is(tmp_path: Path) -> None:
    address = Address(tmp_path / "club.db")  # type: ignore[arg-type]  # made a text
    assert (address.on_server, str(address)) == (False, str(tmp_path / "club.db"))
    assert Address.of_file("club.db").text == str(Path.cwd() / "club.db")
    assert str(Address("mysql/a:b@c.db")) == "mysql/a:b@c.db"


@pytest.mark.parametrize(
    ("text", "log", "conninfo", "shown"),
    [
        ("postgresql://db/league", "ratingcore", "postgresql://db/league", "postgresql://db/league"),
        ("postgres://ann@db/league?log=club", "club", "postgres://ann@db/league", "postgres://ann@db/league?log=club"),
        ("postgresql:///league?host=/tmp&log=a%20b", "a b", "postgresql:///league?host=/tmp",
         "postgresql:///league?host=/tmp&log=a%20b"),
        ("postgresql://ann:secret@db/league?log=club&sslmode=require", "club",
         "postgresql://ann:secret@db/league?sslmode=require", "postgresql://ann@db/league?log=club&sslmode=require"),
        ("postgresql://db/league?log=club&password=secret&sslpassword=secret", "club",
         "postgresql://db/league?password=secret&sslpassword=secret",
         "postgresql://db/league?log=club&password=...&sslpassword=..."),
        ("postgresql://ann:secret?secret#@db/league?log=club", "club", "postgresql://ann:secret?secret#@db/league",
         "postgresql://ann@db/league?log=club"),
    ],
)  # fmt: skip
def test_an_address_names_a_log_and_hides_its_password(text: str, log: str, conninfo: str, shown: str) -> None:
    address = Address(text)
    assert (address.log, address.conninfo, str(address), repr(address)) == (log, conninfo, shown, f"Address({shown!r})")
    assert address.on_server
    assert address.secrets == (("secret",) if "=secret" in text or ":secret@" in text else address.secrets)


@pytest.mark.parametrize("name", ["", "a&log=b", "pg_club", "%00", "x" * 64, "%C3%A9" * 32])
def test_what_no_schema_can_be_called_is_refused(name: str) -> None:
    with pytest.raises(LogUnavailable, match="no log can be called") as raised:
        _ = Address(f"postgresql://ann:secret@db/league?log={name}").log
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    "text",
    [
        "postgresql+psycopg://ann:secret@db/league", "PostgreSQL://ann:secret@db/league", "postgresql:ann:secret@db",
        "postgresql:/ann:secret@db/league", "postgresql//ann:secret@db/league", " postgresql://ann:secret@db/league",
        "\ufeff'postgresql://ann:secret@db/league'", "jdbc:postgresql://db/league?user=ann&password=secret",
        "mysql://ann:secret@db/league", "ann:secret@db/league", "ann:sec/secret@db",
        "host=db user=ann password=secret", "PASSWORD = 'secret' host=db", "dbname=league",
    ],
)  # fmt: skip
def test_what_looks_like_an_address_is_no_file(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for take in (Address, SqliteLog, file_path):
        with pytest.raises(LogUnavailable, match="looks like an address of a database, but is none") as raised:
            take(text)
        assert "secret" not in str(raised.value) + repr(raised.value) + raised.value.hint
    assert not [*tmp_path.iterdir()]
    assert str(Address(tmp_path / text.replace("/", "_"))).startswith(str(tmp_path))  # type: ignore[arg-type]  # as above


def test_an_address_of_a_database_is_no_file() -> None:
    with pytest.raises(LogUnavailable, match=r"cannot use postgresql://ann@db/league: only a file"):
        SqliteLog("postgresql://ann:secret@db/league")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgresql://ann:s3@secret@db/league?log=club", "postgresql://ann@db/league?log=club"),
        ("postgresql://ann:s3@secret/x@db/league", "postgresql://ann@db/league"),
        ("postgresql://ann:se/secret@db:5432/league", "postgresql://db:5432/league"),
        ("postgresql://ann:s3@secret?x@db/league", "postgresql://..."),
        ("postgresql://ann:s/secret?x=y@db/league", "postgresql://..."),
        ("postgresql://ann:secret", "postgresql://ann:..."),
        ("postgresql://[::1]:5432,db:5433/league", "postgresql://[::1]:5432,db:5433/league"),
        ("postgresql://db/league?PASSWORD=secret&passwd=secret&pass%77ord=secret",
         "postgresql://db/league?PASSWORD=...&passwd=...&password=..."),
        ("postgresql://ann@db/league?password=p@secret&log=club", "postgresql://ann@db/league?password=...&log=club"),
        ("postgresql://db/league?user=ann@corp", "postgresql://db/league?user=ann@corp"),
    ],
)  # fmt: skip
def test_no_spelling_of_a_password_is_shown(text: str, shown: str) -> None:
    assert (str(Address(text)), repr(Address(text))) == (shown, f"Address({shown!r})")


def test_a_name_that_is_no_text_is_refused() -> None:
    with pytest.raises(LogUnavailable, match="no log can be called"):
        _ = Address("postgresql://ann:secret@db/league?log=\udcff").log
