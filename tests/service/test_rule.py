"""The rule of a pool at the desk: chosen from a list, filled in, seen with who moves, and declared."""

import re
from html import unescape

import pytest
from ratingcore_service.access import COOKIE, open_tokens
from ratingcore_service.front import Front
from ratingcore_service.routing import Scope
from ratingcore_service.settings import Settings

import ratingcore as rc
from tests.service.asking import Applied, ask, get
from tests.service.desk import Desk
from tests.service.serving import PATIENCE

FORM = "/desk/rule"


def declared(club: str) -> tuple[str | None, str, str]:
    with rc.open(club) as engine:
        *_, last = (event for _, event in engine.events(0, ("pool",)) if isinstance(event, rc.PoolDeclared))
        return last.method, last.policy, last.starting


def test_a_parameter_of_the_rule_is_changed_from_a_day_on(desk: Desk, club: str) -> None:
    page = desk.get(f"{FORM}?pool=rapid")
    assert re.search(r'name="p\.k" value="24"', page)
    assert re.search(r'name="p\.scale" value="400" type="number" step="any" min="0"', page)
    assert '<option selected value="logistic">logistic</option>' in page
    seen = desk.send(FORM, page, **{"p.k": "40", "starting": "2024-03-05", "digits": "0"})
    assert seen.status_code == 200, seen.text
    assert "players would change" in seen.text
    assert declared(club)[0] == "elo:k=24"
    done = desk.get(desk.send(FORM, seen.text).headers["location"])  # a fixed fault: it was a page without an undo
    assert "Recorded." in done
    (undo,) = re.findall(r'href="(/desk/correct/undeclare\?uid=[0-9]+)">Undo<', done)
    assert "Take a rule back" in desk.get(undo)
    assert declared(club) == ("elo:k=24 then elo:k=40 from 2024-03-05", "digits=0", "2024-03-05")
    assert 'name="p.k" value="40"' in desk.get(f"{FORM}?pool=rapid")


def test_a_change_that_is_smaller_than_a_list_shows_has_more_decimals(desk: Desk) -> None:
    """The ratings of players would change, by 0.0."""
    seen = desk.send(FORM, desk.get(f"{FORM}?pool=rapid"), **{"p.k": "24.01", "restated": "yes"}).text
    assert "players would change" in seen
    assert re.search(r">[+\N{MINUS SIGN}]0\.0[0-9]{3}</span>", seen)
    assert ">0.0<" not in seen


def test_a_rule_is_taken_back_on_the_page_of_its_event(desk: Desk, app: Front, club: str) -> None:
    """A fixed fault: a rule that was declared by mistake had to be typed again as it was before."""
    before = declared(club)
    desk.send(FORM, desk.send(FORM, desk.get(f"{FORM}?pool=rapid"), **{"p.k": "40", "starting": "2024-03-05"}).text)
    with rc.open(club) as engine:
        first, last = (row.position for row, one in engine.events(0, ("pool",)) if getattr(one, "pool", "") == "rapid")
    assert declared(club) != before
    assert "desk/correct/undeclare" not in desk.get(f"/log/{first}")
    link = re.search(r'href="(/desk/correct/undeclare\?uid=[0-9]+)"', desk.get(f"/log/{last}"))
    assert link is not None
    seen = desk.send("/desk/correct/undeclare", desk.get(link[1]), uid=str(last))
    assert "players would change" in seen.text
    assert desk.send("/desk/correct/undeclare", seen.text).headers["location"] == "/log"
    assert declared(club) == before


def test_another_method_restates_what_was_before(desk: Desk, app: Front, club: str) -> None:
    choice = desk.get(FORM)
    assert re.search(r'<option value="glicko2">glicko2 . Glickman', unescape(choice))
    page = desk.get(f"{FORM}?pool=rapid&method=glicko2")
    seen = desk.send(FORM, page, **{"p.tau": "0.75", "restated": "yes", "min_games": "2"})
    assert desk.send(FORM, seen.text).status_code == 303
    assert declared(club) == ("glicko2:tau=0.75", "min_games=2", "")
    assert "glicko2" in get(app, "/rapid/methods").text


def test_a_bad_parameter_is_refused_by_name_and_nothing_new_is_not_declared(desk: Desk, club: str) -> None:
    page = desk.get(f"{FORM}?pool=rapid")
    refused = desk.send(FORM, page, **{"p.k": "-3"})
    assert (refused.status_code, "Declare it" in refused.text) == (422, False)
    assert "k must be" in unescape(refused.text)
    same = desk.send(FORM, page, digits="1")
    assert (same.status_code, "The log already has this" in same.text) == (422, True)


def test_a_new_pool_begins_with_its_rule(desk: Desk, club: str) -> None:
    page = desk.get(f"{FORM}?new_pool=blitz&method=elo")
    seen = desk.send(FORM, page, **{"p.k": "32"})
    assert desk.send(FORM, seen.text).status_code == 303
    assert declared(club)[0] == "elo:k=32"
    with rc.open(club) as engine:
        assert "blitz" in engine.pools()


def test_an_officer_of_one_pool_sets_the_rule_of_no_other(app: Front, desk: Desk) -> None:
    tokens = open_tokens(app.service.desk.engine, Settings())
    caller = tokens.caller(tokens.add("blitz officer", Scope.OFFICER, ("blitz",)))
    assert caller is not None
    headers = {**desk.headers, "cookie": f"{COOKIE}={tokens.sign_in(caller)}"}
    assert ask(app, "GET", f"{FORM}?pool=rapid", headers).status_code == 403


def test_the_entry_of_a_rule_is_kept_and_can_be_changed(desk: Desk, club: str) -> None:
    """A rule with an entry showed no parameters, and lost its entry when it was declared again."""
    with rc.open(club) as engine:
        engine.declare("rapid", method="elo:k=24,entry=trial(5)")
    page = desk.get(f"{FORM}?pool=rapid")
    assert 'name="p.k" value="24"' in page
    assert 'name="p.entry" value="trial(5,periodic)"' in page
    seen = desk.send(FORM, page, **{"p.k": "40", "p.entry": "trial(5,periodic)", "starting": "2024-03-05"})
    assert desk.send(FORM, seen.text).status_code == 303
    assert declared(club)[0] == "elo:k=24,entry=trial(5) then elo:k=40,entry=trial(5,periodic) from 2024-03-05"
    seen = desk.send(FORM, desk.get(f"{FORM}?pool=blitz&method=elo"), **{"p.entry": "mean"})
    assert desk.send(FORM, seen.text).status_code == 303
    assert declared(club)[0] == "elo:entry=mean"


@pytest.mark.parametrize(("name", "label"), [("book:uschess", "US Chess"), ("colley", "Colley")])
def test_a_book_and_a_method_without_parameters_are_chosen_and_declared(
    desk: Desk, club: str, name: str, label: str
) -> None:
    assert f'<option value="{name}">' in desk.get(FORM)
    seen = desk.send(FORM, desk.get(f"{FORM}?pool=blitz&method={name}"))
    assert desk.send(FORM, seen.text).status_code == 303
    assert (declared(club)[0] or "").lower().startswith(label.lower())
    assert f"now by {label}</p>" in desk.get(f"{FORM}?pool=blitz")


def test_a_rule_that_needs_a_missing_pool_is_refused_with_a_way_out(desk: Desk, club: str) -> None:
    page = desk.send(FORM, desk.get(f"{FORM}?pool=rapid&method=elo"), **{"p.entry": "from(standard)"})
    assert "The rule takes ratings from pool standard, which the log does not have" in page.text
    assert "Import or seed pool standard first" in page.text


def test_a_board_of_a_pool_is_declared_with_its_results(desk: Desk, app: Front, club: str) -> None:
    with rc.open(club) as engine:
        for score, hall in ((1.0, "A"), (0.0, "B")):
            engine.record(
                rc.GamePlayed(pool="rapid", played="2024-04-03", a="ann", b="bo", score=score, data={"hall": hall})
            )
    page = desk.get(f"{FORM}?new_pool=hall+A&of=rapid&results=hall%3DA&method=elo")
    assert "a board of rapid" in page
    seen = desk.send(FORM, page)
    assert seen.status_code == 200, seen.text
    assert desk.send(FORM, seen.text).status_code == 303
    with rc.open(club) as engine:
        assert engine.rating_list("hall A").rating("ann") > engine.rating_list("hall A").rating("bo")
        assert len(engine.rating_list("hall A")) == 2


def test_a_board_by_a_field_that_no_result_has_is_refused_in_words(desk: Desk) -> None:
    refused = desk.send(FORM, desk.get(f"{FORM}?new_pool=hall&of=rapid&results=hal%3DA&method=elo"))
    assert refused.status_code == 422
    assert "The log has no field of results named: hal in pool rapid" in unescape(refused.text)


def test_a_board_is_declared_in_words_of_the_language_and_takes_no_results(applied: Applied, club: str) -> None:
    """Fixed faults: only `round=1` was understood, and a result typed into a board was refused half in English."""
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-04-03", a="ann", b="bo", score=1.0, data={"round": 7}))
    desk = Desk(applied(language="de"))
    seen = desk.send(FORM, desk.get(f"{FORM}?new_pool=Halle&of=rapid&results=Runde%3D7&method=elo"))
    assert desk.send(FORM, seen.text).status_code == 303
    with rc.open(club) as engine:
        assert len(engine.rating_list("Halle")) == 2
    page = desk.get("/desk/result")
    assert "<option>Halle" not in page
    given = {"a.0": "ann", "score.0": "1-0", "b.0": "bo", "pool": "Halle", "played": "2024-05-02"}
    why = "Die Gruppe Halle hat keine eigenen Ergebnisse: sie übernimmt ihre Ergebnisse und Anfangswertungen"
    assert why in desk.send("/desk/result", page, **given).text


def test_a_new_rule_is_compared_with_the_present_one_and_then_declared(applied: Applied, club: str) -> None:
    desk = Desk(applied(job_wait=PATIENCE, rate=1000.0, burst=10_000.0, cpu_rate=1000.0))
    page = desk.get(f"{FORM}?pool=rapid")
    asked = desk.send(FORM, page, compare="yes", starting="2024-03-05", **{"p.k": "40"})
    assert asked.status_code == 303, asked.text
    study = unescape(desk.get(asked.headers["location"]))
    with rc.open(club) as engine:
        new = "elo:k=24 then elo:k=40 from 2024-03-05"
        old, then = (
            engine.core.standing(engine.registry.method(text), engine.core.view("rapid")) for text in ("elo:k=24", new)
        )
    moves = abs(then.state["rating"] - old.state["rating"])
    rules = "From 2024-03-05, Elo with K = 40 in place of Elo with K = 24"
    moved = f"{(moves > 0).sum()} of the {len(moves)} ratings of rapid, by at most {moves.max():.1f} points."
    assert f"{rules} would change {moved}" in study
    assert f"Players with ten results or more would move by {moves.mean():.1f} points on average." in study
    scores = re.search(r"Forecasts of the 20 results since then .* ([0-9.]+) a result .* ([0-9.]+) by the old", study)
    assert scores is not None
    assert 0.0 < float(scores[1]) < 2.0 > float(scores[2]) > 0.0
    assert "(logarithmic score; less is better). Chance can explain the difference.</p></blockquote>" in study
    assert "players would change" in study
    (onward,) = re.findall(r'href="(/desk/rule\?[^"]*)"', study)
    form = desk.get(onward)
    assert 'name="p.k" value="40"' in form
    assert 'name="starting" type="date" value="2024-03-05"' in form
    seen = desk.send(FORM, form, starting="2024-03-05", **{"p.k": "40"})
    assert desk.send(FORM, seen.text).status_code == 303
    assert declared(club)[0] == new


def test_the_time_of_activity_is_a_number_of_months_or_days(desk: Desk, club: str) -> None:
    """A fixed bug: it was asked for in English words, such as 12 months, in every language."""
    seen = desk.send(FORM, desk.get(f"{FORM}?pool=rapid"), active="90", unit="days")
    assert desk.send(FORM, seen.text).status_code == 303
    assert "active=days(90)" in (declared(club)[1] or "")
    page = desk.get(f"{FORM}?pool=rapid")
    assert 'name="active" type="number" min="1" max="9999" value="90"' in page
    assert '<option value="days" selected>' in page


def test_a_method_that_nobody_has_is_refused_in_words(desk: Desk) -> None:
    """A fixed bug: the desk answered that the server had an error."""
    page = desk.get(f"{FORM}?pool=rapid")
    refused = desk.send(FORM, page, method="nobodys")
    assert refused.status_code == 422
    assert "No method named nobodys" in unescape(refused.text)
    form = re.findall(r'name="form" value="([^"]*)"', page)[0]
    assert ask(desk.app, "POST", FORM, desk.headers, data={"form": form, "pool": ""}).status_code == 422


def test_decimals_alone_are_changed_without_touching_a_rule_with_a_history(desk: Desk, club: str) -> None:
    """The form held the last step and an empty day, and would have declared it from the beginning."""
    with rc.open(club) as engine:
        engine.declare("rapid", method="elo:k=32", starting="2024-03-05")
    history = "elo:k=24 then elo:k=32 from 2024-03-05"
    assert declared(club) == (history, "digits=1", "2024-03-05")
    page = desk.get(f"{FORM}?pool=rapid")
    assert "From which day on; another rule needs it, decimals and who is listed do not" in page
    seen = desk.send(FORM, page, digits="2")
    assert "<p>Nobody.</p>" in seen.text
    assert desk.send(FORM, seen.text).status_code == 303
    assert declared(club) == (history, "digits=2", "2024-03-05")
    page = desk.get(f"{FORM}?pool=rapid")
    refused = desk.send(FORM, page, **{"p.k": "40"})
    assert refused.status_code == 422
    assert "The rule of this pool has a history, which another rule without a first day would replace" in refused.text
    seen = desk.send(FORM, page, **{"p.k": "40", "restated": "yes", "digits": "2"})
    assert desk.send(FORM, seen.text).status_code == 303
    assert declared(club) == ("elo:k=40", "digits=2", "")


def test_the_declared_method_chosen_from_the_list_keeps_its_parameters(desk: Desk) -> None:
    """With the method chosen again, the default k was in place of the declared one."""
    assert '<select name="kind">' in desk.get(FORM)
    assert 'name="p.k" value="24"' in desk.get(f"{FORM}?pool=rapid&kind=elo")
    assert 'name="p.k" value="20"' in desk.get(f"{FORM}?pool=blitz&kind=elo")
    assert 'name="p.tau"' in desk.get(f"{FORM}?pool=rapid&kind=glicko2")


def test_a_number_is_typed_as_the_language_writes_it(applied: Applied, club: str) -> None:
    """A k of 20,5 was `elo: parameter 5 must be written name=value`, in English at a desk of any language."""
    desk = Desk(applied(language="de"))
    page = desk.get(f"{FORM}?pool=rapid")
    refused = desk.send(FORM, page, **{"p.scale": "viel"})
    assert refused.status_code == 422
    assert "Maßstab: viel ist keine Zahl" in refused.text
    assert desk.send(FORM, page, **{"p.k": "30"}, digits="1,5").status_code == 422
    seen = desk.send(FORM, page, **{"p.k": "20,5"})
    assert desk.send(FORM, seen.text).status_code == 303
    assert declared(club)[0] == "elo:k=20.5"


def test_a_rule_with_a_history_is_in_words_of_the_language(applied: Applied, club: str) -> None:
    """`jetzt nach Elo, k 24 then elo:k=32 from 2024-09-01`."""
    with rc.open(club) as engine:
        engine.declare("rapid", method="elo:k=32", starting="2024-03-05")
    desk = Desk(applied(language="de"))
    page = desk.get(f"{FORM}?pool=rapid")
    assert "jetzt nach Elo mit K = 24; Elo mit K = 32, ab 05.03.2024</p>" in page
    seen = desk.send(FORM, page, **{"p.k": "40", "starting": "2024-03-08"}).text
    assert "Elo mit K = 24, ab 05.03.2024 Elo mit K = 32, ab 08.03.2024 Elo mit K = 40" in seen


def test_a_restated_rule_reads_otherwise_than_a_carried_one(applied: Applied, club: str) -> None:
    """A fixed fault: both were `Elo mit K = 32, ab 05.03.2024`, and the number had a point."""
    with rc.open(club) as engine:
        engine.declare("rapid", method="elo:k=20.5", starting="2024-03-05", restated=True)
        position = engine.log.head.position
    desk = Desk(applied(language="de"))
    said = "Elo mit K = 20,5, auch für frühere Ergebnisse"
    assert f"jetzt nach Elo mit K = 24; {said}, ab 05.03.2024</p>" in desk.get(f"{FORM}?pool=rapid")
    assert f"entstehen seit 05.03.2024 mit {said}; davor" in desk.get("/rapid/")
    assert ", ab 05.03.2024, auch für frühere Ergebnisse" in desk.get(f"/log/{position}")


def test_a_later_rule_that_an_earlier_day_replaces_is_named(desk: Desk, club: str) -> None:
    """A fixed fault: it was gone without a word, and only the list of rules showed that."""
    with rc.open(club) as engine:
        engine.declare("rapid", method="elo:k=40", starting="2024-03-05")
        engine.declare("rapid", method="elo:k=10", starting="2024-06-01")
    page, gone = desk.get(f"{FORM}?pool=rapid"), "Replaced too is Elo with K = 10, from 2024-06-01: declare it again"
    assert gone in unescape(desk.send(FORM, page, **{"p.k": "30", "starting": "2024-04-01"}).text)
    later = desk.send(FORM, page, **{"p.k": "30", "starting": "2024-07-01"}).text
    assert ("Elo with K = 30" in later, "Replaced too" in later) == (True, False)
