"""What a secretary missed at the desk: a choice, what was chosen for her, and buttons that do what they say."""

import re
from html import unescape
from urllib.parse import unquote_plus

from ratingcore_service.officer.files import latest_imports

import ratingcore as rc
from ratingcore.log.sqlite import SqliteLog
from tests.service.asking import ask
from tests.service.desk import Desk, head
from tests.service.test_bringing import brought, mended

RESULT = "/desk/result"
SPLIT, VOID_ALL = "/desk/correct/split", "/desk/correct/void_all"
PAIRS = (("ann", "bo"), ("cy", "di"))


def rounds(count: int, first: int) -> str:
    """A table of this many rounds of two games, on every other day of June 2024 from one on."""
    rows = [f"2024-06-{first + 2 * n:02},{a},{b},1,{n + 1}" for n in range(count) for a, b in PAIRS]
    return "\n".join(["played,a,b,score,round", *rows, ""])


def test_known_games_of_a_file_are_left_out_by_a_button(desk: Desk) -> None:
    """Of 14 games 8 would have counted twice, and the choice was to accept all or to throw the file away."""
    first, page = brought(desk, rounds(4, 1), "league.csv")
    desk.send(f"{first}/accept", page)
    before = head(desk.app)
    address, page = brought(desk, rounds(7, 2), "whole.csv")
    assert "Accept 14 results<" in page
    assert "8 new games may be in the log a second time" in page
    button = "Leave out results that the log has already, from elsewhere"
    page = mended(desk, address, page, button)
    assert "8 of 14 games of whole.csv are in the log already, from league.csv, and are left out." in page
    assert f">{button}</button>" not in page
    assert 'name="skip_known" value="yes" checked' in page
    assert "Accept 6 results<" in page
    desk.send(f"{address}/accept", page)
    assert head(desk.app) == before + 6


def test_columns_that_are_read_as_last_time_are_said(desk: Desk) -> None:
    """A file accepted with its players exchanged, and brought again, was known already, and nothing said why."""
    text = "wann,wer,gegen wen,wie\n2024-05-01,ann,bo,1-0\n"
    address, page = brought(desk, text, "mai.csv")
    columns = {"map.a": "gegen wen", "map.b": "wer", "map.score": "wie", "map.played": "wann", "pool": "rapid"}
    desk.send(f"{address}/map", page, **columns)
    said = "It is read like your last file with these headings"
    page = desk.get(address)
    assert said not in page
    desk.send(f"{address}/accept", page)
    page = brought(desk, text, "mai.csv")[1]
    assert f"{said}: First player = gegen wen · Second player = wer" in page
    assert '<details id="again" open>' in page


def test_a_second_game_of_two_players_on_a_day_is_recorded_if_it_is_another(desk: Desk, club: str) -> None:
    """The log had it already, with a round it had it otherwise, and no way led on."""

    def typed(**more: str) -> dict[str, str]:
        return {"a.0": "ann", "score.0": "1-0", "b.0": "bo", "pool": "rapid", "played": "2024-05-02", **more}

    desk.send(RESULT, desk.send(RESULT, desk.get(RESULT), **typed()).text)
    for given in (typed(), typed(), typed(round="3"), typed(**{"score.0": "0-1"})):
        before, known = head(desk.app), desk.send(RESULT, desk.get(RESULT), **given)
        forms = re.findall(r'<form class="steps" method="post" action="/desk/result">.*?</form>', known.text)
        (form,) = (one for one in forms if "It is another game: record it too" in one)
        fields = {name: unescape(value) for name, value in re.findall(r'name="([^"]*)" value="([^"]*)"', form)}
        seen = ask(desk.app, "POST", RESULT, desk.headers, data=fields)
        assert "It is another game" not in seen.text
        assert desk.send(RESULT, seen.text).status_code == 303
        assert head(desk.app) == before + 1
    with rc.open(club) as engine:
        games = [event for _, event in engine.events(before - 4) if isinstance(event, rc.GamePlayed)]
    assert [(one.score, one.data.get("round")) for one in games] == [(1, None), (1, None), (1, None), (1, 3), (0, None)]


def test_a_result_that_is_not_there_is_no_other_game(desk: Desk) -> None:
    given = {"a.0": "ann", "score.0": "1-0", "b.0": "bo", "pool": "rapid", "played": "2024-05-02"}
    assert "It is another game" not in desk.send(RESULT, desk.get(RESULT), **given).text


def test_a_record_is_divided_with_the_games_under_merged_names(desk: Desk, club: str) -> None:
    """They counted for the player, and were not among the games to tick."""
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-06-01", a="Anna", b="cy", score=1.0))
        at = engine.log.head.position
        engine.merge("ann", "Anna")
    page = desk.get(f"{SPLIT}?player=ann")
    assert f'name="game.{at}"' in page
    assert "Anna" in re.findall(rf'name="game.{at}".*?</tr>', page)[0]
    seen = desk.send(SPLIT, page, player="ann", into="Hanna", why="two people", **{f"game.{at}": "yes"})
    assert seen.status_code == 200, seen.text
    assert desk.send(SPLIT, seen.text).status_code == 303
    with rc.open(club) as engine:
        assert "Hanna" in engine.rating_list("rapid").player


def test_a_list_without_a_declared_rule_says_by_what_it_is_rated(desk: Desk, club: str) -> None:
    """It was published by the default, for ever, and the page was silent."""
    given = {"name": "2024-07"}
    declared = desk.send("/desk/publish", desk.get("/desk/publish"), pool="rapid", **given)
    assert "No rule of this pool is declared" not in declared.text
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="blitz", played="2024-06-01", a="ann", b="cy", score=1.0))
    seen = desk.send("/desk/publish", desk.get("/desk/publish"), pool="blitz", **given)
    assert "No rule of this pool is declared: the list is rated by Elo with K = 20" in seen.text
    assert 'href="/desk/rule?pool=blitz"' in seen.text


def test_of_two_new_spellings_the_one_with_more_results_is_kept_and_the_other_can_be(desk: Desk) -> None:
    """One row had Weis, three had Weiß, and the only button read the three as the one."""
    names = ("Weiß, Käthe", "Weis, Käthe", "Weiß, Käthe", "Weiß, Käthe")
    rows = [f'2024-06-{day:02},"{name}",bo,1' for day, name in enumerate(names, 1)]
    address, page = brought(desk, "\n".join(["played,a,b,score", *rows, ""]), "juni.csv")
    near = [unescape(one) for one in re.findall(r"<button[^>]*>([^<]* is [^<]*)</button>", page) if "Weis" in one]
    assert near == ["Weis, Käthe is Weiß, Käthe", "Weiß, Käthe is Weis, Käthe"]
    read = mended(desk, address, page, near[0], "Weis, Käthe=Weiß, Käthe")
    assert "1 player is new" in read
    assert '<td class="said">Weis, Käthe</td>' not in read
    desk.send(f"{address}/accept", read)
    text = 'played,a,b,score\n2024-06-09,"Weis, Käthe",bo,1\n'
    address, page = brought(desk, text, "juli.csv")
    near = re.findall(r"<button[^>]*>([^<]* is [^<]*)</button>", page)
    assert [one for one in near if "Weis" in one] == ["Weis, Käthe is Weiß, Käthe"], "the log keeps its own"
    desk.send(f"{address}/accept", page)
    links = re.findall(r'href="/desk/correct/merge\?([^"]*)"', desk.get(address))
    assert [unescape(unquote_plus(one)) for one in links] == [
        "keep=Weiß, Käthe&other=Weis, Käthe", "keep=Weis, Käthe&other=Weiß, Käthe"
    ]  # fmt: skip


def test_a_file_is_taken_back_with_its_corrections(desk: Desk, club: str) -> None:
    """The list of imports offered the new game alone: the correction stayed, and the file left the list."""
    text = "id,played,a,b,score\nx-1,2024-06-01,ann,bo,1\n"
    address, page = brought(desk, text, "vor.csv")
    desk.send(f"{address}/accept", page)
    with rc.open(club) as engine:
        before = engine.rating_list("rapid")
    first, more = head(desk.app), text.replace(",1\n", ",0\n") + "x-2,2024-06-02,cy,di,1\n"
    address, page = brought(desk, more, "nach.csv", amend="yes")
    desk.send(f"{address}/accept", page)
    (undo,) = re.findall(r'name="positions" value="([^"]*)"', desk.get(address))
    assert undo == f"{first + 1}-{first + 2}"
    page = desk.get(VOID_ALL)
    assert f'href="{VOID_ALL}?positions={undo}">{undo}</a> · nach.csv · 2 events count' in page
    seen = desk.send(VOID_ALL, page, positions=undo, why="another league")
    assert desk.send(VOID_ALL, seen.text).status_code == 303
    with rc.open(club) as engine:
        assert not before.diff(engine.rating_list("rapid"))
    assert "nach.csv" not in desk.get(VOID_ALL)


def test_a_correction_by_hand_after_typed_results_is_no_part_of_them(desk: Desk) -> None:
    given = {"a.0": "ann", "score.0": "1-0", "b.0": "bo", "pool": "rapid", "played": "2024-05-02"}
    desk.send(RESULT, desk.send(RESULT, desk.get(RESULT), **given).text)
    last, void = head(desk.app), "/desk/correct/void"
    desk.send(void, desk.send(void, desk.get(void), uid="3", why="x").text)
    assert head(desk.app) == last + 1
    assert f'?positions={last}">{last}</a> · secretary · 1 event counts' in desk.get(VOID_ALL)


def test_results_that_a_program_sends_one_by_one_are_no_single_import(club: str) -> None:
    """The latest imports offered to take back all that a program had ever sent, as one."""
    now = [1_900_000_000_000_000]
    with rc.Engine(SqliteLog(club, clock=lambda: now[0])) as engine:
        for day in (1, 2):
            game = rc.GamePlayed(pool="rapid", played=f"2024-06-0{day}", a="ann", b="bo", score=1.0)
            engine.record(game, source="program")
            now[0] += 60_000_000
        last = engine.log.head.position
        assert [one.positions for one in latest_imports(engine)][:2] == [str(last), str(last - 1)]


def test_an_import_that_only_corrects_is_one_of_its_own(club: str) -> None:
    """The first one was taken back with it, or it was not offered."""
    now = [1_900_000_000_000_000]
    with rc.Engine(SqliteLog(club, clock=lambda: now[0])) as engine:
        for score in (1.0, 0.0):
            row = {"id": "x-1", "played": "2024-06-01", "a": "ann", "b": "bo", "score": score}
            engine.import_file([row], "rapid", name="juni.csv", amend=True)
            now[0] += 86_400_000_000
        last = engine.log.head.position
        assert [one.positions for one in latest_imports(engine)] == [str(last), str(last - 1)]
