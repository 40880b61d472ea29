"""The desk's error messages: for each class of error a sentence and a remedy, filled in with its facts."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from msgspec import ValidationError
from ratingcore_pages import FIELDS

from ratingcore.errors import BadCorrection, HaveMet, OnePlayer, RatingCoreError, UnknownName
from ratingcore.plugin import analysis
from ratingcore_service.corrections import LABELS
from ratingcore_service.problems import AtDesk, NotSignedIn
from ratingcore_service.validation import UNKNOWN_FIELD, refusal
from ratingcore_service.wire import with_forms

Word = Callable[[str], str]


class TakenBack(AtDesk):
    """An event is voided already."""

    event: int
    by: str
    why: str
    of: int
    sentence = "it was taken back already"


class NotCorrectable(AtDesk):
    """An event has no fields that can be changed."""

    kind: str
    sentence = "only a result, a first rating or a description can be corrected; this is {kind}"


class NothingChanged(AtDesk):
    """A form that changes fields leaves them all as they are."""

    sentence = "nothing was changed: change a field first"


class NotRated(AtDesk):
    """The text typed as a result is a reason for having none, such as a forfeit or a bye."""

    reason: str
    advice = "take the result back if the game was not played"
    sentence = "this is not a result that is rated: {reason}"


class DayUnread(AtDesk):
    """A text is not a day, or is ambiguous."""

    day: str
    advice = "write it with the year first, such as 2024-03-31"
    sentence = "this is not a day, or it could be several days: {day}"


class CountsAlready(AtDesk):
    """An event to be revived was not voided."""

    what: str
    event: int
    advice = "choose one that the log shows as taken back"
    sentence = "it counts already, since nobody took it back: {what}"


class NotRemovable(AtDesk):
    """An event is of a kind that is taken back in another way, or never."""

    kind: str
    event: int
    sentence = "this cannot be taken back here: it is {kind}"


class NoPositions(AtDesk):
    """A text is not a list of positions in the log."""

    text: str
    advice = "such as 41-80, or 7, or 3-5,9"
    sentence = "these are not positions: {text}"


class NothingToRecord(AtDesk):
    """A correction has been recorded already."""

    sentence = "the log already has this: nothing would be recorded"


class FirstDayUnsaid(AtDesk):
    """Another rule without a first day would replace a rule with a history."""

    advice = "give its first day, or tick that earlier results are rated by it too"
    sentence = "the rule of this pool has a history, which another rule without a first day would replace"


class NumberUnread(AtDesk):
    """A text in a field of a form is not a number."""

    field: str
    number: str
    sentence = "{field}: {number} is not a number"


class NothingDue(AtDesk):
    """Every list of a calendar is published."""

    sentence = "no list is due: all are published"


class ResultKnown(AtDesk):
    """All typed results are in the log already."""

    advice = "if they met twice, give each game its own round"
    sentence = "the log already has this result"


class DivisionUnsaid(AtDesk):
    """A record is to be divided by neither a day nor results, or by both."""

    sentence = "give either a first day, or tick results"


class DayMissing(AtDesk):
    """A typed result has no day."""

    sentence = "a result needs the day on which it was played"


class RowUnfinished(AtDesk):
    """A typed result, in a row of a score sheet, lacks a player or its score."""

    row: int
    advice = "leave rows empty that are not needed"
    sentence = "row {row}: a result needs two players, and who won"


class NothingThere(AtDesk):
    """A text is neither a position of the log nor the uid of an event."""

    text: str
    last: int
    sentence = "the log has nothing with the number or uid {text}: its last number is {last}"


IN_WORDS = ("reason", "kind", "field")
"""Facts that are words of the language."""
KIND = {
    "game": "a result", "session": "a result", "seed": "a first rating", "player": "a description of a player",
    "pool": "the rule of a pool", "list": "a published list", "period": "a closed period", "amend": "a correction",
    "void": "a correction that takes something back", "merge": "a join", "unmerge": "an undone join",
}  # fmt: skip
"""Words for events, by kind."""
THEIRS = "Their results"
ELSEWHERE = {
    "pool": ("desk/correct/undeclare?uid={}", "Take this rule back"), "list": ("desk/publish", "Publish a list"),
    "merge": ("desk/correct/unmerge?uid={}", "Undo a join"),
}  # fmt: skip
"""Pages where events of some kinds are taken back or replaced, and texts of their links."""
OURS = {kind.__name__: kind for base in (AtDesk, NotSignedIn) for kind in base.__subclasses__()}
"""Refusals of the service that officers meet, by name of the class."""

CHANGED = "another decision was recorded meanwhile: %(about)s"
FILE_CHANGED = "the log has changed meanwhile, and the file would now record something different"
ERASED = "a name was erased meanwhile"
DECIDE_AGAIN = "see what was decided meanwhile, then decide again"
DAYS, ZONE, COLUMNS, AMEND = (
    "Choose how the file writes days.", "Give the zone of its times.", "Choose its columns, or the pool of all rows.",
    "If the file is right, have it correct what is recorded.",
)  # fmt: skip
"""Advice to use the form under a file."""
CELLS = "Correct these cells in the file, or choose another column of results."
RECORDED_AND_GIVEN = "%(field)s: in the log %(was)s, here %(now)s"
NO_DAY_GIVEN = "Give the day of rows without one."
SETTINGS = {
    "encoding": "Choose another encoding of the file.", "fields": COLUMNS, "query": "Upload the rows as a table.",
    "reader": "Save it as text, CSV or xlsx, and upload that.",
    "sheet": "Upload that sheet as a separate file.", "sheet_of_reader": "Upload that sheet as a separate file.",
}  # fmt: skip
"""Advice for a file that cannot be read, by the setting that its error names."""
SENTENCES: Mapping[str, tuple[str, str]] = {
    "AlreadyPublished": ("another list of pool %(pool)s was published as %(name)s, at position %(position)s",
     "a published list cannot change: choose another name"),
    "BoardNotDeclared": ("board %(key)s was declared later", ""),
    "FormulaChanged": (
        "the list %(name)s cannot be made again: it was published with %(published)s, and installed is %(installed)s",
        "",
    ),
    "MethodNotFound": ("no method named %(name)s", ""),
    "NotOffered": ("%(method)s is offered with a token only", ""),
    "NotYet": ("the log has not reached position %(position)s yet", "ask again in a while"),
    "UnknownOtherPool": ("the rule takes ratings from pool %(pool)s, which the log does not have",
     "import or seed pool %(pool)s first"),
    "WrongForm": ("%(method)s rates games of two players, and pool %(pool)s has others", ""),
    "BadCut": ("%(cut)s: %(value)s %(why)s", ""),
    "BadFile": ("the file cannot be read: %(why)s", ""),
    "BadMapping": ("the columns do not fit: %(why)s", COLUMNS),
    "BadParameter": ("%(method)s: parameter %(parameter)s %(why)s", ""),
    "BadValue": ("%(what)s: %(value)s %(why)s", ""),
    "NotOneOf": ("%(what)s: %(value)s %(why)s", ""),
    "Busy": ("too many questions are waiting", "ask again in a while"),
    "ColumnNotFound": ("the table has no column for %(wanted_for)s; its columns are %(found)s",
     "write headings above the columns"),
    "ContentChanged": ("the log already has it with another content, at position %(position)s", AMEND),
    "DoesNotFit": ("pool %(pool)s takes results that %(fits)s can read, and %(uid)s is not one: %(why)s", ""),
    "GivenUp": ("the answer took too long and was cancelled", ""),
    "HaveMet": ("%(one)s and %(two)s have met in pool %(pool)s, so they are two people",
     "if they are one, the result between them is wrong: take it back first"),
    "InOtherPool": ("the log has it in pool %(recorded)s", "choose that pool for the file"),
    "LaterIssue": ("the log has a later issue of %(event)s than this one", AMEND),
    "NoOffset": ("the time has no offset, and its zone is unknown: %(time)s of %(where)s",
     "write it with an offset, such as 2024-03-02T19:00+01:00, or declare the zone of the pool"),
    "NoZone": ("the time has no offset, and its zone is unknown: %(time)s of %(where)s", ZONE),
    "NotFound": ("there is no such page", ""),
    "NotAllowed": ("your token does not allow this, which needs %(needed)s", "sign in with another token"),
    "NotANumber": ("%(what)s: %(value)s is not a number", ""),
    "NotGiven": ("%(what)s: not given", COLUMNS),
    "NotOfForm": ("%(what)s: %(value)s is not a day that is written like %(form)s", DAYS),
    "NotOfPool": ("pool %(pool)s takes results that %(fits)s can read, and this is not one: %(why)s", ""),
    "NotOurForm": ("the form is from another site, or its session has ended", "open its page again"),
    "OnePlayer": ("%(one)s and %(two)s count as one player", "undo their join first"),
    "OtherSide": ("an earlier row reports the game from the other side", ""),
    "OtherSideDiffers": ("line %(line)s reports this game from the other side, and differs: %(fields)s", ""),
    "PoolNotNamed": ("the log has several pools: %(pools)s", "choose one of them"),
    "TooSlow": ("the answer takes longer than %(seconds)s seconds, and is worked on", "ask again in a while"),
    "PlayedThemselves": ("a player cannot meet themselves: %(player)s", ""),
    "ReadOnly": ("this service is read-only", ""),
    "RecordedOtherwise": ("%(players)s: the log has other values, at position %(position)s: %(fields)s", AMEND),
    "ScoresInDoubt": ("the file cannot be read: %(why)s", CELLS),
    "SeveralDays": ("%(what)s: %(value)s may mean more than one day", DAYS),
    "TooCostly": ("this takes too long to compute for a page",
     "run the study compare at the desk: its report includes this"),
    "TooLarge": ("it is larger than %(limit)s bytes", ""),
    "TooMuchMissing": ("it would take back %(missing)s of %(results)s results: is the file complete?",
     "upload the complete file; if it is another tournament, give it a title or a day of its own"),
    "TooOften": ("too many requests one after the other", "try again in %(seconds).0f seconds"),
    "UnclearName": ("a list cannot be named %(name)s, which looks like a day or a number", "add a word to it"),
    "UnevenRow": ("%(cells)s cells where the header has %(width)s", ""),
    "UnknownList": ("no list was published as: %(name)s", ""),
    "UnknownUid": ("no event has the uid: %(uid)s", "the log shows the uids of its events"),
    "ZoneUnknown": ("the time has no offset, and its zone is unknown: %(time)s", ZONE),
}  # fmt: skip
"""Texts and advice by name of the class of an error or of a reason, with places for its facts."""
NOT_POSSIBLE = {
    "nothing was played from {day} on": "nothing was played from {day} on",
    "{player} is merged into {keep}": "results of {player} count for {keep}: divide that one, or undo the join first",
    "{into} and {player} count as one player": "{into} and {player} count as one player: undo their join first",
    "it was taken back": "one of the results was taken back: let it count again first",
    "{player} does not play in it": "{player} does not play in one of the results",
    "{into} plays in it, too": "{into} plays in one of the results, too, and nobody plays against themselves",
    "a player in it was erased, and sides are recorded by name":
        "a player in one of the results was erased, so it cannot be divided",
    "its pool was declared again by {later}": "the pool was declared again since: take the newest rule back first",
    "a declaration is never void: declare it again, or void the declaration that took it back":
        "a rule that was taken back is declared again under the rule of the pool",
    "no result of its pool has a field {name}": "no result of the pool has a field {name}",
    "it is a {event}": "it is {event}, which is taken back in another way",
    "it is an amendment": "it is a correction: take it back by its number in the log",
    "a {event} has no {name}": "{event} has no {name}",
}  # fmt: skip
"""Texts for impossible corrections, by the template of the error."""
JOINED = ("{player} is merged into {keep}", "{into} and {player} count as one player")
"""Those whose reason is that two names are joined."""
UNKNOWN = {
    kind: f"the log has no {kind} named: %(key)s" for kind in ("player", "pool", "source", "event", "field of results")
}
"""Texts for unknown names, by kind."""
IN_POOL = ("{key} in pool {pool}", "{key} in pool {pool} at this cut")
"""Unknown names with the pool that does not have them."""
NEAR = "did you mean %(near)s?"
UNFIT, NO_FIELD = "%(what)s: too long, or of another kind", "this page has no field %(what)s"
"""Texts for a field of a form or an address whose value does not fit, and for one that is unknown."""
APART = "pool %(pool)s has no results of its own: %(why)s"
"""Text for an event that is to be recorded in a board or a slice."""
WHOLE_LOG = "the whole log"
"""Words for what a token for some pools does not cover."""
NO_DAY = "must be a day of the calendar"
WHYS = (
    NO_DAY, "holds a control character", "must be an ISO date or time between years 1 and 9999",
    "lies after the last day that counts", "lies outside the years 1400 to 2199", "must be a finite number",
    "must be a month such as 2024-01, or a day", "must be a number", "must be a positive number",
    "must be zero or more", "must be another name than keep", "must be written name=value", "is given twice",
    "gives two lists the same name: use a pattern with year and month, such as %Y-%m",
)  # fmt: skip
"""Translated reasons in errors about a value, besides those of imports."""
ONE_OF = ("must be one of %(words)s", "must be a number, or one of %(words)s")
"""Reasons with a list of allowed words."""
NAMED = {
    **LABELS, "active": "Time span", "digits": "Decimals of ratings",
    "day": "Day", "window": "Time span", "time": "Day", "name": "Name", "seed": "Seed of the simulation",
    "since": "From which day on",
}  # fmt: skip
"""Names of values that a form asks for, and that are no fields of results."""
_LONGEST, _FIELDS = 60, 4
_LINE = re.compile(r"(.*), line ([0-9]+)")
_GAP = re.compile(r" is (missing|empty)\b")
"""End of the refusal of a field without a value."""
_NAME = re.compile(r"/([a-z]\w*)")
"""A name of a field in the pointer of a refusal."""


def in_words(error: Exception, word: Word) -> tuple[str, str]:
    """Returns the text of an error and its advice in the language of `word`; rare errors stay in English.

    The advice for an unknown name may suggest similar names.

    Examples
    --------
    >>> in_words(UnknownName("player", "anne", ("ann", "hanne")), str)
    ('The log has no player named: anne', 'Did you mean ann, hanne?')
    """
    advice = error.suggestion if isinstance(error, RatingCoreError) else ""
    if isinstance(error, ValidationError):
        error = refusal(error, None)
    return worded(type(error).__name__, vars(error), word, str(error), advice)


def ways(error: Exception) -> list[tuple[str, str]]:
    """Returns the pages where an officer can fix an error: their paths and link texts.

    Examples
    --------
    >>> ways(TakenBack(7, "anna", "twice", 3))
    [('desk/correct/revive?uid=3', 'Count this again')]
    """
    if isinstance(error, TakenBack):
        return [(f"desk/correct/revive?uid={error.of}", "Count this again")]
    if isinstance(error, NotRemovable):
        path, text = ELSEWHERE.get(error.kind, ("desk/correct/void?uid={}", "Take this back"))
        return [(path.format(error.event), text)]
    if isinstance(error, NothingThere | NoPositions) or (isinstance(error, UnknownName) and not error.near):
        return [("log", "See the log")]
    if isinstance(error, HaveMet):
        return [(f"log?{urlencode({'player': error.one})}", THEIRS)]
    joined = isinstance(error, BadCorrection) and error.form in JOINED
    return [("log?kinds=merge", "Joined records")] if joined or isinstance(error, OnePlayer) else []


def worded(kind: str, facts: Mapping[str, Any], word: Word, text: str, advice: str = "") -> tuple[str, str]:
    """Returns the text and advice for an error or a refusal, by the name of its class and its facts.

    Parameters
    ----------
    text, advice : str
        The English fallbacks, for classes without words at the desk.

    Examples
    --------
    >>> facts = {"what": "played", "value": "1/2/24", "why": "is not a time of the form %d.%m.%y", "form": "%d.%m.%y"}
    >>> worded("NotOfForm", facts, str, "")
    ('Day: 1/2/24 is not a day that is written like 31.12.26', 'Choose how the file writes days.')
    """

    def begun(text: str) -> str:
        """Returns the text in the language, with a capital letter unless it begins with a fact."""
        said = word(text) if text else ""
        return said[:1].upper() + said[1:]

    decided = ": ".join(str(facts[name]) for name in ("by", "why") if facts.get(name))
    decided = f" ({decided})" if decided else ""
    if kind == "PlanOutdated":
        sentence = ERASED if facts["kind"] == "erase" else FILE_CHANGED if facts["kind"] == "file" else CHANGED
        return begun(sentence) % facts + decided, begun(DECIDE_AGAIN)
    if kind == "BadQuery" and (names := _NAME.findall(facts.get("pointer", ""))):
        sentence = NO_FIELD if facts["what"].endswith(UNKNOWN_FIELD) else UNFIT
        if _GAP.search(facts["what"]):
            sentence = SENTENCES["NotGiven"][0]
        return begun(sentence) % {"what": _shown("what", names[-1], {}, word)}, ""
    if kind in OURS:
        ours = OURS[kind]
        facts = {name: word(KIND.get(value, value)) if name in IN_WORDS else value for name, value in facts.items()}
        return begun(ours.sentence).format_map(facts) + decided, begun(getattr(ours, "advice", ""))
    if kind == "BadCorrection" and facts["form"] in NOT_POSSIBLE:
        named = {
            name: word(KIND.get(value, value)) if name == "event" else value for name, value in facts["named"].items()
        }
        return begun(NOT_POSSIBLE[facts["form"]]).format_map(named), ""
    if kind == "UnknownName" and facts["kind"] in UNKNOWN:
        near = facts.get("near")
        key = _filled("key", with_forms(facts), word) if isinstance(facts["key"], analysis.Filled) else facts["key"]
        return begun(UNKNOWN[facts["kind"]]) % {"key": key}, begun(NEAR) % {"near": ", ".join(near)} if near else ""
    facts = with_forms(facts)
    if facts.get("place"):
        place = _filled("place", facts, word)
        others = {name: one for name, one in facts.items() if name != "place"}
        sentence, mending = worded(kind, others, word, text, advice)
        return sentence if sentence == text else f"{place}: {sentence}", mending
    if kind == "Reason" and facts.get("cause"):
        quoted = [str(facts["value"])] if facts.get("value") is not None else []
        return ": ".join([_filled("cause", facts, word), *quoted]), ""
    if kind not in SENTENCES:
        return text, advice
    if facts.get("why") == "no pool is named":  # its columns may fit
        return begun("no pool is named"), word(COLUMNS)
    if facts.get("what") == "played" and facts["value"] == "":
        return begun(SENTENCES["NotGiven"][0]) % {"what": _shown("what", "played", {}, word)}, word(NO_DAY_GIVEN)
    if facts.get("what") == "played" and analysis.is_no_day(str(facts["value"])):
        kind, facts = "BadValue", {**facts, "why": NO_DAY}
    sentence, mending = SENTENCES[kind] if facts.get("fits", True) else (APART, "")
    mending = mending or SETTINGS.get(facts.get("setting", ""), NEAR if facts.get("near") else "")
    shown = {name: _shown(name, value, facts, word) for name, value in facts.items() if name != "filled"}
    if kind == "RecordedOtherwise":
        shown["fields"] = _differing(facts["fields"], word, word(RECORDED_AND_GIVEN))
    return begun(sentence) % shown, begun(mending) % shown


def _shown(name: str, value: Any, facts: Mapping[str, Any], word: Word) -> Any:
    """Returns a fact in the form that fits into a sentence."""
    if name in ("what", "wanted_for", "cut"):
        named = NAMED.get(value) or FIELDS.get(value)
        return word(named) if named else _filled(name, {**facts, name: value}, word)
    if name == "needed":
        return word(value) if value == WHOLE_LOG else value
    if name == "why":
        return _why(str(value), facts, word)
    if name == "form":  # a format is shown by an example day
        return datetime(2026, 12, 31, 18, 30).strftime(value)
    if name == "where" and (line := _LINE.fullmatch(str(value))):
        return f"{line[1]}, {word('Line')} {line[2]}"
    if name == "fields":
        return _differing(value, word)
    if name == "players":
        return " - ".join(value)
    if isinstance(value, float):
        return value
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _why(why: str, facts: Mapping[str, Any], word: Word) -> str:
    """Returns the reason why a value is wrong; for a parameter, the value follows."""
    words = {"words": ", ".join(facts.get("words", ()))}
    reason = next((word(form) % words for form in ONE_OF if form % words == why), _filled("why", facts, word))
    return f"{reason}: {facts['value']}" if "parameter" in facts and facts.get("value") else reason


def _filled(name: str, facts: Mapping[str, Any], word: Word) -> str:
    """Returns a fact that is a sentence, or a word, in the language of `word`, filled in with its own facts."""
    filled = facts.get("filled", {}).get(name)
    return word(filled["form"]).format_map(filled["named"]) if filled else word(str(facts[name]))


def _differing(fields: Iterable[tuple[str, str, str]], word: Word, form: str = "%(field)s %(was)s / %(now)s") -> str:
    """Returns the fields that differ, each with the recorded and the given value: `Day 2024-03-02 / 2024-03-09`."""
    shown = [
        form % {"field": word(NAMED.get(name) or FIELDS.get(name, name)), "was": was or "-", "now": now or "-"}
        for name, was, now in fields
    ]
    return "; ".join(shown[:_FIELDS] + ["..."] * (len(shown) > _FIELDS))
