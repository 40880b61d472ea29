"""Addresses of logs: which log they name, what libpq gets of them, and that no message shows a password."""

from pathlib import Path

import pytest

from ratingcore.errors import LogUnavailable
from ratingcore.log.address import Address


def test_a_path_is_a_file_and_shown_as_it_is(tmp_path: Path) -> None:
    address = Address(tmp_path / "club.db")  # type: ignore[arg-type]  # made a text
    assert (address.on_server, str(address)) == (False, str(tmp_path / "club.db"))
    assert Address.of_file("club.db").text == str(Path.cwd() / "club.db")
    assert not Address("notpostgresql://x").on_server


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
