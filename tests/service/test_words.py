"""The service speaks the languages of the pages: its own texts have words in each, and its pages show them."""

import pickle
import re
from functools import cache
from html import unescape
from importlib.resources import files

import pytest
from ratingcore_pages.look import Look
from ratingcore_pages.words import catalogue
from ratingcore_service import problems
from ratingcore_service.corrections import FORMS, LABELS
from ratingcore_service.officer import refusals
from ratingcore_service.officer.files import NO_FILE
from ratingcore_service.officer.refusals import (
    NAMED,
    ONE_OF,
    OURS,
    SENTENCES,
    SETTINGS,
    UNKNOWN,
    WHYS,
    in_words,
    worded,
)
from ratingcore_service.officer.rule import NAMES
from ratingcore_service.officer.sign_in import NO_OFFICER, NO_TOKEN, SIGN_IN
from ratingcore_service.officer.studies import fields_of
from ratingcore_service.officer.typed import NAME
from ratingcore_service.pages import KINDS
from ratingcore_service.studies import JOBS
from ratingcore_service.upload_process import failed

import ratingcore as rc
from ratingcore import errors
from ratingcore.errors import BadParameter, PlanOutdated
from ratingcore.importer import day_notes, name_notes, notes, reasons, recorded_notes
from ratingcore.methods.rule_histories import Book
from ratingcore.plugin.analysis import Filled, summary_of
from ratingcore.readers import REASONS
from ratingcore.registry import Registry
from ratingcore.replay.declared import OF_BOARD, OF_SLICE
from tests.plugins.ratingcore_pages.catalogues import FOREIGN, check_complete, check_read, messages
from tests.plugins.ratingcore_pages.test_words import WANTED as OF_PAGES
from tests.service import import_reasons
from tests.service.asking import Applied, ask, get
from tests.service.desk import Desk
from tests.service.serving import PATIENCE

PACKAGE = "ratingcore_service"
NOTES = notes, name_notes, day_notes, recorded_notes
GIVEN = {
    NO_FILE, NO_TOKEN, SIGN_IN, NO_OFFICER, *LABELS.values(), *NAMES.values(), *REASONS, *SETTINGS.values(), *WHYS,
    *ONE_OF, *UNKNOWN.values(), *NAMED.values(),
    *refusals.NOT_POSSIBLE.values(), refusals.NEAR, refusals.NO_DAY_GIVEN, refusals.UNFIT, refusals.APART,
    refusals.WHOLE_LOG, *refusals.IN_POOL, OF_BOARD, OF_SLICE, NAME, refusals.NO_FIELD,
    refusals.RECORDED_AND_GIVEN,
    refusals.CHANGED, refusals.FILE_CHANGED, refusals.ERASED, refusals.DECIDE_AGAIN,
    *(text for both in SENTENCES.values() for text in both if text),
    *(text for kind in OURS.values() for text in (kind.sentence, getattr(kind, "advice", "")) if text),
    *(text for form in FORMS.values() for text in (form.heading, form.about)),
    *KINDS.values(), *refusals.KIND.values(), *(text for _, text in refusals.ELSEWHERE.values()), refusals.THEIRS,
    *(summary_of(kind) for name, kind in Registry.installed().methods.items() if "@" not in name), summary_of(Book),
    *(job.about for job in JOBS.values()),
    *(field["title"] for job in JOBS.values() for field in fields_of(job.body).values()),
}  # fmt: skip
"""Texts that templates are given, beside reasons of imports."""
GAME = "played,a,b,score,pool\n2024-04-01,ann,bo,1,rapid\n"


@cache
def texts() -> set[str]:
    """The texts of templates, and those that they are given."""
    return messages(PACKAGE) | GIVEN | import_reasons.reasons()


@pytest.mark.parametrize("language", FOREIGN)
def test_every_text_of_the_service_has_words_once(language: str) -> None:
    check_complete(PACKAGE, language, texts() - OF_PAGES)


@pytest.mark.parametrize("language", FOREIGN)
def test_a_catalogue_is_read_as_gettext_reads_it(language: str) -> None:
    check_read(PACKAGE, language)


@pytest.mark.parametrize("language", FOREIGN)
def test_a_page_in_a_language_has_no_text_of_another(language: str, applied: Applied) -> None:
    app = applied(language=language, title="Rapid League", rate=1000.0, burst=10_000.0)
    words = catalogue(language, PACKAGE)
    english = {text for text in texts() | OF_PAGES if words.gettext(text) != text}
    desk = Desk(app)
    pages = [get(app, url).text for url in ("/rapid/", "/rapid/?q=ann", "/rapid/methods", "/log", "/about", "/desk/")]
    pages += map(
        desk.get,
        [
            "/desk/",
            "/desk/file",
            "/desk/members",
            "/desk/members?ratings=true",
            "/desk/similar",
            "/desk/publish",
            "/desk/calendar",
            "/desk/backup",
            "/desk/complaint",
            "/desk/erase",
            "/desk/jobs",
        ],
    )
    pages += map(desk.get, [f"/desk/studies/{name}" for name in JOBS])
    pages += map(desk.get, [f"/desk/correct/{what}" for what in FORMS])
    pages += [desk.get(desk.bring("a.csv", text).headers["location"]) for text in ("when,who\n1,2\n", GAME)]
    for page in pages:
        assert f'<html lang="{language}">' in page
        assert english & {text.strip() for text in re.findall(r">([^<>]+)<", page)} == set()


def test_the_desk_says_in_its_language_how_many_events_came_in(applied: Applied, club: str) -> None:
    desk = Desk(applied(language="de", seconds=PATIENCE))
    address = desk.bring("a.csv", GAME).headers["location"]
    page = desk.get(address)
    with rc.open(club) as engine:
        engine.import_file([dict(zip(*(line.split(",") for line in GAME.split()), strict=True))], "rapid")
    assert "Inzwischen ist 1 weiteres Ereignis ins Protokoll gekommen." in desk.send(f"{address}/accept", page).text


def test_the_desk_says_in_its_language_that_nobody_is_called_so(applied: Applied) -> None:
    desk = Desk(applied(language="de"))
    page = ask(desk.app, "GET", "/desk/complaint?pool=rapid&player=anne", desk.headers).text
    assert "Im Protokoll gibt es keinen Spieler namens: anne" in page
    assert "Gemeint ist ann</button>" in page


def test_the_desk_says_in_its_language_what_outdated_a_decision() -> None:
    word = catalogue("de", PACKAGE).gettext
    changed = PlanOutdated("void", 5, 7, "amend", "g-1", "board", "asked by Dee")
    said, advice = in_words(changed, word)
    assert said == "Inzwischen wurde etwas anderes entschieden: g-1 (board: asked by Dee)"
    assert advice == "Bitte ansehen, was inzwischen entschieden wurde, und dann neu entscheiden"
    assert in_words(PlanOutdated("void", 5, 0, "erase", ""), word)[0] == "Inzwischen wurde ein Name gelöscht"


@pytest.mark.parametrize("kind", SENTENCES)
def test_a_sentence_of_the_desk_is_filled_in_with_the_facts_of_its_class(kind: str) -> None:
    of = next(getattr(module, kind) for module in (errors, reasons, *NOTES, problems) if hasattr(module, kind))
    sentence, _ = SENTENCES[kind]
    assert sentence % dict.fromkeys(of.__match_args__, "fact")


def test_every_reason_of_an_import_has_words_at_the_desk() -> None:
    named = {name for name, one in vars(reasons).items() if isinstance(one, type) and issubclass(one, notes.Note)}
    assert named - {"Note"} <= SENTENCES.keys()


def test_facts_in_a_reason_of_an_import_are_filled_into_a_form() -> None:
    """A fixed fault: reasons with a fact in them, such as a column, were English in every language."""
    assert import_reasons.unfilled() == []
    why = Filled("two columns are named {column}", column="Erg.")
    word = catalogue("de", PACKAGE).gettext
    said = in_words(errors.BadFile("a.csv", why), word)[0]
    assert said == "Die Datei lässt sich nicht lesen: zwei Spalten heißen Erg."
    assert (
        failed(errors.BadFile("a.csv", why)).problem
        == failed(pickle.loads(pickle.dumps(errors.BadFile("a.csv", why)))).problem
    )
    fault = failed(errors.BadFile("a.csv", pickle.loads(pickle.dumps(why)))).problem
    assert fault is not None
    assert worded(fault.kind, fault.facts, word, fault.detail)[0] == said


def test_every_note_of_an_import_has_words_at_the_desk() -> None:
    kinds = {one for module in NOTES for one in vars(module).values() if isinstance(one, type)}
    named = {one.__name__ for one in kinds if issubclass(one, notes.Note)} - {"Note", "OfLine"}
    template = files(PACKAGE).joinpath("templates", "desk_notes.html").read_text("utf-8")
    assert named - {*re.findall(r"'(\w+)'", template)} == set()


def test_a_score_that_contradicts_its_points_is_refused_in_the_language_of_the_desk(applied: Applied) -> None:
    """A fixed fault: what the columns of a table say of its scores was English on a German page."""
    desk = Desk(applied(language="de", seconds=PATIENCE))
    rows = "".join(f"2024-05-0{day},ann,bo,2-{day}\n" for day in range(3))
    page = desk.get(desk.bring("punkte.csv", f"played,a,b,score\n{rows}", pool="rapid").headers["location"])
    assert "Wie die Ergebnisse gelesen wurden: Punkte beider Seiten" in page
    rows = "2024-05-01,ann,bo,ann,bo\n2024-05-02,ann,bo,ann,ann\n2024-05-03,cy,bo,cy,cy\n"
    page = desk.get(desk.bring("zwei.csv", f"played,a,b,winner,Winner\n{rows}", pool="rapid").headers["location"])
    assert "the other columns give" not in page


def test_what_a_plugin_says_of_a_study_is_no_format() -> None:
    look = Look(language="cs", packages=(PACKAGE,))
    shown = look.environment.from_string("{{ text|word }}")
    assert shown.render(text="What 50 % of the games say.") == "What 50 % of the games say."
    assert shown.render(text=JOBS["simulate"].about) == "Svět se známými silami, kolo po kole."


def test_the_log_is_told_in_the_language_of_the_pages(applied: Applied, club: str) -> None:
    """A fixed fault: the sentences of the log, and of each of its events, were English in every language."""
    with rc.open(club) as engine:
        first = engine.log.head.position
        engine.record(
            rc.GamePlayed(pool="rapid", played="2024-05-01", a="ann", b="bo", score=0.0, uid="x-1", data={"round": 3}),
            rc.GamePlayed(pool="rapid", played="2024-05-01", a="ann", b="cy", score=0.5, uid="x-2"),
            rc.RatingSeeded(pool="rapid", played="2024-01-01", player="eve", values={"rating": 1500.0}, uid="x-3"),
        )
        engine.amend("x-2", {"score": 1.0}, why="Zettel", by="Dee")
        engine.void("x-1", why="nicht gespielt")
        engine.merge("di", "eve", why="eine Person")
    app = applied(language="de")
    told = [
        "bo schlug ann (Runde 3)", "ann und cy spielten remis", "Anfangswerte für eve: Wertung 1500",
        f"ann und cy spielten remis am 01.05.2024 (#{first + 2}): lautet jetzt Ergebnis des ersten Spielers 1; "
        "Grund: Zettel; von: Dee",
        f"bo schlug ann am 01.05.2024 (#{first + 1}): zählt als nie eingetragen; Grund: nicht gespielt",
        "jedes Ergebnis von eve zählt als eines von di; Grund: eine Person",
    ]  # fmt: skip
    log = get(app, "/log").text
    for position, sentence in enumerate(told, start=first + 1):
        assert sentence in log
        assert f"<p>{sentence}</p>" in get(app, f"/log/{position}").text
    assert "Es lautet jetzt: ann schlug cy" in get(app, f"/log/{first + 2}").text
    assert "zählt als nie eingetragen; Grund: nicht gespielt" in get(app, f"/log/{first + 1}").text


def test_what_a_list_is_made_from_is_told_in_the_language_of_the_pages(applied: Applied, club: str) -> None:
    """A fixed fault: what a list, an explanation and a rule are made from was English on every page."""
    with rc.open(club) as engine:
        engine.declare("rapid", method="elo:k=40", starting="2024-03-05", min_games=50)
        position = engine.log.head.position
    app = applied(language="de")
    page = get(app, "/rapid/").text
    made = re.findall("<li>(.*)</li>", page[page.index("Woraus diese Seite gemacht ist") :])
    words = ("Gruppe", "Verfahren", "Regeln der Liste", "nicht aufgeführt", "Stand des Protokolls")
    assert [word for word in words if not any(line.startswith(word) for line in made)] == []
    assert "alles Gespielte, Stand " in made[0]
    assert "(weniger als 50 Partien)" in page
    desk, methods = Desk(app), get(app, "/rapid/methods").text
    assert "Verfahren elo" in methods
    assert "Die Wertungszahl des Deutschen Schachbunds, Turnier für Turnier" in methods
    assert "Glickmans zweites System" in desk.get("/desk/rule")
    assert "Elo mit K = 24, ab 05.03.2024 Elo mit K = 40" in get(app, f"/log/{position}").text
    answer = desk.get("/desk/complaint?pool=rapid&player=ann")
    assert "ann in Gruppe rapid, alles Gespielte" in answer
    assert "shown by the list alone" not in answer


def test_a_rule_that_is_refused_is_told_in_the_language_of_the_desk(applied: Applied) -> None:
    """A fixed fault: windows, parameters, sources and addresses were refused in English on German pages."""
    desk = Desk(applied(language="de"))
    page = desk.get("/desk/rule?pool=rapid")
    refused = unescape(desk.send("/desk/rule", page, active="12 Monate").text)
    assert "Zeitspanne: 12 Monate ist keine Zeitspanne wie '12 months' oder '90 days'" in refused
    refused = unescape(desk.send("/desk/rule", page, **{"p.k": "1e400"}).text)
    assert "elo: Parameter k ist keine Zahl: inf" in refused
    assert "(extra_gap) " in page
    refused = unescape(desk.send("/desk/rule", page, **{"p.k": "viel"}).text)
    assert "elo: Parameter k muss eine Zahl sein oder eines von: " in refused
    refused = desk.send("/desk/correct/void_all", desk.get("/desk/correct/void_all"), source="b.csv", why="x").text
    assert "Im Protokoll gibt es keine Quelle namens: b.csv" in refused
    assert "<h1>Diese Seite lässt sich nicht zeigen</h1>" in ask(desk.app, "GET", "/nowhere/at/all", desk.headers).text


@pytest.mark.parametrize(
    ("method", "said"),
    [
        ("elo:entry=soon", "elo: Parameter entry muss eines sein von: at_start, mean(months), trial(n,rule), "
         "pooled(n,months,rule), refuse, from(pool,entry): 'soon'"),
        ("elo:curve=flat", "elo: Parameter curve muss eines sein von: logistic, normal, table, davidson: 'flat'"),
        ("elo:scale=-1", "elo: Parameter scale muss eine positive Zahl sein: -1.0"),
    ],
)  # fmt: skip
def test_the_words_and_the_value_of_a_parameter_come_from_its_facts(method: str, said: str) -> None:
    """They were taken out of the English sentence."""
    with pytest.raises(BadParameter) as refused:
        Registry.installed().method(method)
    assert in_words(refused.value, catalogue("de", PACKAGE).gettext)[0].startswith(said)


def test_points_that_are_not_the_sum_of_their_cells_are_noted_in_the_language(applied: Applied) -> None:
    """A fixed fault: the note of a format was English in every language."""
    desk = Desk(applied(language="fr", seconds=PATIENCE))
    cross = "Tournoi\n18.10.2025\n\nNr.;Name;1;2;3;Pkt\n1;Kat;*;1;1;5\n2;Jo;0;*;1;1\n3;bo;0;0;*;0\n"
    page = desk.get(desk.bring("k.csv", cross, pool="rapid").headers["location"])
    assert "Ligne 4: des points qui ne sont pas la somme des cases, entre parenthèses, 1 en tout : Kat 5 (2)" in page


def test_what_is_wrong_with_a_file_is_named_for_what_it_is(applied: Applied) -> None:
    """A fixed fault: a day that does not exist was spelt wrong, and a missing pool was a matter of columns."""
    word, facts = catalogue("de", PACKAGE).gettext, {"what": "played", "value": "31.2.2026", "form": "%d.%m.%Y"}
    assert worded("NotOfForm", facts, word, "")[0] == "Tag: 31.2.2026 ist kein Tag des Kalenders"
    assert worded("BadMapping", {"why": "no pool is named"}, word, "")[0] == "Keine Gruppe ist angegeben"
    desk = Desk(applied(language="de"))
    page = desk.get(desk.bring("empty.csv", "").headers["location"])
    assert ("Die Datei lässt sich nicht lesen: sie ist leer" in page, "So lesen" in page) == (True, False)


def test_german_pages_write_days_and_decimals_as_germans_do(applied: Applied, club: str) -> None:
    """A fixed fault: sentences of events, values and previews had days of ISO 8601, decimal points and English."""
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-05-01", a="ann", b="bo", score=0.5, uid="x-1"))
        engine.amend("x-1", {"played": "2024-05-02", "score": 0.25}, why="Zettel")
        engine.declare("rapid", method="elo:k=40", starting="2024-03-05", digits=1)
        position = engine.log.head.position
    desk = Desk(applied(language="de", rate=1000.0, burst=10_000.0))
    pages = [desk.get(url) for url in ("/rapid/", "/log", f"/log/{position - 1}", "/desk/calendar")]
    undeclared = desk.send(
        "/desk/correct/undeclare", desk.get(f"/desk/correct/undeclare?uid={position}"), uid=str(position)
    ).text
    assert "the pool takes" not in undeclared
    pages += [undeclared, desk.get(desk.bring("a.csv", GAME).headers["location"])]
    for page in pages:
        text = unescape(
            re.sub(r"<head>.*?</head>|<(script|option|textarea|pre)\b.*?</\1>|<[^>]*>", " ", page, flags=re.DOTALL)
        )
        assert re.findall(r".{20}\b\d{4}-\d\d-\d\d\b", text) == []
        assert re.findall(r".{20}(?<![\w.=])\d+\.\d+(?![\w.]).{5}", text) == []


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"since": "2030-01-01"}, "Ab 01.01.2030 wurde nichts gespielt"),
        ({"into": "ann", "since": "2024-01-01"}, "ann und ann zählen als ein Spieler"),
        ({"into": "bo", "since": "2024-01-01"}, "In einem der Ergebnisse spielt auch bo"),
    ],
)
def test_a_correction_that_is_not_possible_is_refused_in_the_language_of_the_desk(
    applied: Applied, fields: dict[str, str], said: str
) -> None:
    desk = Desk(applied(language="de"))
    page = desk.get("/desk/correct/split?player=ann")
    answer = desk.send("/desk/correct/split", page, **{"player": "ann", "into": "eve", "why": "x", **fields})
    assert answer.status_code == 422
    assert said in unescape(answer.text)


def test_fields_and_lines_in_a_reason_are_named_in_the_language() -> None:
    """`points_a 0 / -; points_b 1 / -` was why a row was refused, and a time was one of `exc.xlsx, line 5`."""
    word = catalogue("de", PACKAGE).gettext
    differing = {"position": 7, "players": ("Ann", "Bo"), "fields": [("points_a", "0", ""), ("order", "0", "3000")]}
    said = worded("RecordedOtherwise", differing, word, "")[0]
    assert said.startswith("Ann - Bo: ")
    assert "Punkte des ersten Spielers: im Protokoll 0, hier -; Reihenfolge am Tag: im Protokoll 0, hier 3000" in said
    assert "exc.xlsx, Zeile 5" in worded("NoZone", {"time": "19:00", "where": "exc.xlsx, line 5"}, word, "")[0]
    day = {"what": "day", "value": "Oktober 2024", "why": "must be a month such as 2024-01, or a day"}
    assert worded("BadValue", day, word, "")[0] == "Tag: Oktober 2024 ist weder ein Monat wie 2024-01 noch ein Tag"
