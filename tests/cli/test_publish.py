"""`ratingcore publish`: a list under a name, for ever."""

from pathlib import Path

import pytest

from ratingcore import open as open_log
from tests.lists.keys import write_keys

from .conftest import Run

MARCH = ("2024-03", "--through", "2024-03-31")


def test_publishing_prints_the_seal_and_says_where_it_stands(run: Run, club: Path) -> None:
    code, out, err = run("publish", "club.db", *MARCH, "--method", "elo:k=24")
    assert code == 0
    assert err == "published as 2024-03 of pool rapid at position 6: 3 players\n"
    with open_log(club) as engine:
        made = engine.rating_list("rapid", "elo:k=24", through="2024-03-31")
        assert out == f"{made.seal}\n"
        assert engine.published_list("2024-03").digest == made.digest
    again = run("publish", "club.db", *MARCH, "--method", "elo:k=24")
    assert (again.code, again.out) == (0, out)
    assert again.err == "the same list was published before as 2024-03 of pool rapid at position 6: 3 players\n"


def test_another_list_under_the_name_is_refused(run: Run, club: Path) -> None:
    run("publish", "club.db", *MARCH)
    code, out, err = run("publish", "club.db", *MARCH, "--method", "elo:k=24")
    assert (code, out) == (1, "")
    assert err == (
        "error: another list of pool rapid was published as 2024-03, at position 6\n\n"
        "hint: a published list stays: choose another name, and diff 2024-03 to see what is known now\n"
    )


def test_a_published_list_is_a_cut(run: Run, club: Path) -> None:
    run("publish", "club.db", "march", "--known-at", 3)
    for cut in ("march", "list:march"):
        assert run("list", "club.db", "--known-at", cut).out == run("list", "club.db", "--known-at", 3).out
        assert run("player", "club.db", "ann", "-k", cut).out == run("player", "club.db", "ann", "-k", 3).out
    code, _, err = run("list", "club.db", "--known-at", "april")
    assert code == 2
    assert "april" in err
    assert run("list", "club.db", "--known-at", "list:april").code == 2


@pytest.mark.parametrize("words", [["--active", "soon"], ["--digits", "10"], ["--ties", "none"], ["--min-games", "-1"]])
def test_a_policy_that_is_none_is_refused(run: Run, club: Path, words: list[str]) -> None:
    for name in (["list", "club.db"], ["publish", "club.db", "x"]):
        assert run(*name, *words).code == 2
    assert run("lists", "club.db", "-f", "json").out == "[]\n"


def test_a_list_is_signed_in_its_document_and_never_in_the_log(run: Run, club: Path) -> None:
    write_keys(club.parent)
    code, out, err = run("publish", "club.db", *MARCH, "--sign", "key.pem", "--to", "list.json")
    assert code == 0
    assert err.splitlines()[1] == "list.json: the list as a document, signed"
    signed = Path("list.json").read_text(encoding="utf-8")
    assert run("show", "club.db", "2024-03", "--sign", "key.pem").out == signed
    with open_log(club) as engine:
        assert engine.published()[0].seal == out.strip()
        assert "ed25519" not in "".join(engine.export())


def test_nothing_is_published_where_the_document_cannot_be_signed_or_written(run: Run, club: Path) -> None:
    write_keys(club.parent)
    Path("taken.json").write_text("precious")
    for words, why in (
        (("--sign", "key.pem"), "error: a signature is part of the document of a list"),
        (("--sign", "public.pem", "--to", "list.json"), "error: cannot use the key public.pem: it holds no private"),
        (("--sign", "key.pem", "--to", "taken.json"), "error: there is something already: taken.json"),
    ):
        code, out, err = run("publish", "club.db", *MARCH, *words)
        assert (code, out) == (2, "")
        assert err.startswith(why)
    with open_log(club) as engine:
        assert engine.published() == []
