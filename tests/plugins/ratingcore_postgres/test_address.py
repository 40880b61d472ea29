"""Addresses of logs in PostgreSQL: which log they name, what libpq gets, and that no message shows a password."""

import pytest
from ratingcore_postgres.address import Location

from ratingcore.errors import LogUnavailable


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
    address = Location(text)
    assert (address.log, address.conninfo, str(address), repr(address)) == (
        log,
        conninfo,
        shown,
        f"Location({shown!r})",
    )
    assert address.secrets == (("secret",) if "=secret" in text or ":secret@" in text else address.secrets)


@pytest.mark.parametrize("name", ["", "a&log=b", "pg_club", "%00", "x" * 64, "%C3%A9" * 32])
def test_what_no_schema_can_be_called_is_refused(name: str) -> None:
    with pytest.raises(LogUnavailable, match="the name of a log is not valid") as raised:
        _ = Location(f"postgresql://ann:secret@db/league?log={name}").log
    assert "secret" not in str(raised.value)


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
    assert (str(Location(text)), repr(Location(text))) == (shown, f"Location({shown!r})")


def test_a_name_that_is_no_text_is_refused() -> None:
    with pytest.raises(LogUnavailable, match="the name of a log is not valid"):
        _ = Location("postgresql://ann:secret@db/league?log=\udcff").log
