"""OpenGotha: nineteen uploads of three tournaments, each told as what is new, amended, renamed or gone."""

from pathlib import Path

import pytest
from ratingcore_go import OPENGOTHA

from ratingcore.errors import BadFile
from ratingcore.plugin.readers import Document, Facts, Game, Refused, Seed, Unrated, Warning, day_of
from tests.plugins.reader_laws import items, kinds, sniffed

FOLDER = Path(__file__).parents[2] / "fixtures" / "formats" / "opengotha"
TILLEULS = (FOLDER / "tilleuls.xml").read_bytes()
CHAINS = {
    "lipowy": [(40, 0, 0, 0), (0, 1, 0, 0), (9, 0, 0, 0), (1, 0, 0, 0), (9, 0, 0, 0)],
    "ceiba": [(0, 0, 0, 0)] * 4 + [(12, 0, 0, 0), (3, 0, 0, 0), (0, 1, 1, 0)] + [(0, 0, 0, 0)] * 2 + [(14, 1, 1, 0)],
    "maple": [(273, 0, 0, 0), (0, 1, 0, 0), (0, 2, 0, 0), (0, 1, 0, 4)],
}
"""By tournament, for each upload: new games, amended ones, of these renamed ones, games that are gone."""
UNRATED = {
    "lipowy": [(10, 5, 0), (10, 5, 0), (10, 6, 1), (10, 6, 0), (0, 6, 1)],
    "ceiba": [(11, 1, 0), (15, 0, 0), (15, 0, 0), (15, 0, 0), (3, 0, 0), (15, 0, 0), (14, 1, 0), (14, 1, 0), (14, 1, 0),
              (14, 2, 0)],
    "maple": [(0, 2, 0)] * 4,
}  # fmt: skip
"""By tournament, for each upload: no result yet, byes, forfeits."""
Told = dict[tuple[str, frozenset[str]], tuple[object, ...]]


def uploads(name: str) -> list[Path]:
    """The uploads of a tournament, oldest first."""
    return sorted(FOLDER.glob(f"{name}_*.xml"))


def told(path: Path) -> Told:
    """The games of a file by round and players."""
    return {
        (item.key[0], frozenset(who.id or who.name for who in (item.a, item.b))):
        (item.a, item.b, item.score, item.played, item.order, dict(item.data), item.key[1])
        for item in items(OPENGOTHA, path.read_bytes()) if isinstance(item, Game)
    }  # fmt: skip


def same(old: tuple[object, ...], new: tuple[object, ...]) -> bool:
    """Whether two tellings of a game agree; numbers of players and tables are not part of it."""
    (a, b, *rest, _), (a2, b2, *rest2, _) = old, new
    return ([who[:2] for who in (a, b)], rest) == ([who[:2] for who in (a2, b2)], rest2)  # type: ignore[index]  # players


@pytest.mark.parametrize("name", CHAINS)
def test_an_upload_differs_from_the_one_before_in_exactly_what_was_changed(name: str) -> None:
    log: Told = {}
    differences = []
    for path in uploads(name):
        now = told(path)
        both = log.keys() & now.keys()
        fresh, gone = now.keys() - log.keys(), log.keys() - now.keys()
        players = [frozenset().union(*(pair for _, pair in one)) for one in (log, now)]
        renamed = [
            (old, new) for old in gone for new in fresh
            if old[0] == new[0] and len(old[1] & new[1]) == 1 and not (old[1] - new[1]) & players[1]
            and not (new[1] - old[1]) & players[0] and log[old][-1] == now[new][-1]
        ]  # fmt: skip
        amended = sum(not same(log[key], now[key]) for key in both) + len(renamed)
        differences.append((len(fresh) - len(renamed), amended, len(renamed), len(gone) - len(renamed)))
        log = now
    assert differences == CHAINS[name]


@pytest.mark.parametrize("name", UNRATED)
def test_what_is_unrated_is_counted_by_reason(name: str) -> None:
    for path, counts in zip(uploads(name), UNRATED[name], strict=True):
        found = kinds(items(OPENGOTHA, path.read_bytes()))
        assert tuple(found.get(reason, 0) for reason in ("no result yet", "bye", "forfeit")) == counts
        assert found.get("Refused", 0) == 0


@pytest.mark.parametrize("name", CHAINS)
def test_all_uploads_are_one_document_and_say_when_they_were_issued(name: str) -> None:
    opened = [items(OPENGOTHA, path.read_bytes())[0] for path in uploads(name)]
    assert all(isinstance(one, Document) for one in opened)
    assert len({one.key for one in opened if isinstance(one, Document)}) == 1
    issued = [one.issued for one in opened if isinstance(one, Document)]
    assert None not in issued
    assert issued == sorted(issued)  # type: ignore[type-var]  # none is None, as seen above


def test_the_sample_gives_its_counts() -> None:
    found = items(OPENGOTHA, TILLEULS)
    assert kinds(found) == {"Document": 1, "Facts": 19, "Seed": 19, "Game": 36}
    assert found[0] == Document(
        ("Coupe des Tilleuls", "2019-10-26"), "Coupe des Tilleuls (2019-10-26)", day_of("2019-10-26"),
        day_of("2019-10-28"), 1_574_161_542_000_000,
    )  # fmt: skip
    assert sniffed(OPENGOTHA, TILLEULS) == 99
    assert sniffed(OPENGOTHA, TILLEULS.decode().encode("utf-16")) == 99


def test_a_rating_that_nobody_measured_is_guessed() -> None:
    assert not any(item.guessed for item in items(OPENGOTHA, TILLEULS) if isinstance(item, Seed))
    guessed = [item for item in items(OPENGOTHA, uploads("ceiba")[0].read_bytes()) if isinstance(item, Seed)]
    assert len(guessed) == 23
    assert all(item.guessed for item in guessed)


def changed(old: str, new: str) -> bytes:
    """The sample with one text changed wherever it stands."""
    text = TILLEULS.decode()
    assert old in text
    return text.replace(old, new).encode()


@pytest.mark.parametrize(
    ("old", "new", "reason", "count"),
    [
        ("RESULT_WHITEWINS", "RESULT_WHITEWINS_BYDEF", "forfeit", 20),
        ("RESULT_WHITEWINS", "RESULT_BOTHLOSE_BYDEF", "forfeit", 20),
        ("RESULT_WHITEWINS", "RESULT_BOTHWIN", "both won", 20),
        ("RESULT_BLACKWINS", "RESULT_BOTHLOSE", "both lost", 16),
        ("RESULT_BLACKWINS", "RESULT_UNKNOWN", "no result yet", 16),
    ],
)
def test_results_that_are_not_rated(old: str, new: str, reason: str, count: int) -> None:
    assert kinds(items(OPENGOTHA, changed(old, new)))[reason] == count


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("RESULT_BLACKWINS", "RESULT_ODD", "not one that the format has"),
        ('roundNumber="2"', 'roundNumber="0"', "not a number from 1"),
        ('roundNumber="2"', 'roundNumber="two"', "not a number from 1"),
        ('handicap="9"', 'handicap="-1"', "not a number of stones"),
        ("<Players>", '<Players><Player name="Šimastad" firstName="Zoë"/>', "two players of the file"),
        ('name="Šimastad"', 'name="Simastad"', "is not a player of the file"),
    ],
)
def test_games_that_cannot_be_read_are_refused(old: str, new: str, why: str) -> None:
    found = items(OPENGOTHA, changed(old, new))
    refused = [item for item in found if isinstance(item, Refused)]
    assert refused
    assert all(why in item.reason for item in refused)
    assert sum(isinstance(item, Game | Refused | Unrated) for item in found) == 36


def test_jigo_is_half_a_point() -> None:
    found = items(OPENGOTHA, changed("RESULT_BLACKWINS", "RESULT_EQUAL"))
    assert sum(item.score == 0.5 for item in found if isinstance(item, Game)) == 16


def test_a_file_without_settings_has_no_day_and_a_time_that_is_none_is_a_warning() -> None:
    bare = '<Tournament dataVersion="201" saveDT="soon"><Players/><Games/></Tournament>'
    found = items(OPENGOTHA, bare)
    assert isinstance(found[0], Document)
    assert (found[0].start, found[0].issued) == (None, None)
    assert isinstance(found[1], Warning)


def test_numbers_of_registers_are_ids_in_their_order() -> None:
    player = '<Player name="A" firstName="B" egfPin="{}" ffgLicence="{}" agaId="{}" grade="1D"/>'
    numbers = [("12345678", "1900001", "489"), ("", "1900002", "489"), ("", "0", "490"), ("", "", "99999")]
    file = "".join(player.format(*one) for one in numbers)
    found = items(OPENGOTHA, f'<Tournament dataVersion="201"><Players>{file}</Players></Tournament>')
    ids = [item.who.id for item in found if isinstance(item, Facts)]
    assert ids == ["egf:12345678", "ffg:1900002", "aga:490", None]


def test_another_root_is_no_such_file() -> None:
    assert sniffed(OPENGOTHA, b"<USEBIO/>") == 0
    with pytest.raises(BadFile):
        items(OPENGOTHA, b"<USEBIO/>")
