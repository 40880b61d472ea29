"""The comparison of an archive: methods are tuned on its training part and scored on its test part."""

import json
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import numpy as np
from attrs import asdict, frozen

from gallery.archives import Archive, Candidate
from gallery.files import digests, located
from gallery.intervals import Judged, judged
from gallery.reading import POOL
from ratingcore import Engine, __version__
from ratingcore import open as opened
from ratingcore.compare.common_games import CommonForecasts, ask
from ratingcore.compare.losses import session_losses
from ratingcore.compare.pairs import indistinct
from ratingcore.compare.scores import scores
from ratingcore.errors import RatingCoreError
from ratingcore.methods.contract import Cadence
from ratingcore.methods.text import identity

DIGITS = 6
"""Digits of every stored number, so that pages are the same to the byte."""

Say = Callable[[str], None]


QUESTIONS = (
    ("elo, home", "elo, no home"),
    ("elo-margin, nba538", "elo-margin, no margin"),
    ("elo-margin, nfl538", "elo-margin, no margin"),
    ("elo-margin, goals", "elo, home"),
    ("elo-margin, no margin", "elo, home"),
    ("glicko", "elo, home"),
    ("glicko", "elo"),
    ("whr", "elo, no home"),
)
"""Pairs of labels of methods that differ in one feature; the gain is computed on every archive that has both."""


@frozen
class Gain:
    """The gain of one method over another on the same results: nats per result, and half of its 95 % interval."""

    one: str
    other: str
    gain: float
    margin: float


@frozen
class Row:
    """The scores of one method.

    Parameters
    ----------
    label, text : str
        Its name in the tables, and the method with the chosen parameters.
    settings : int
        Number of settings tried in training; 0 if nothing was tuned.
    log_loss, low, high : float
        Nats per result of the test, with the 95 % interval.
    brier : float
    accuracy : float or None
        Share of the games in which the favourite won; None for sessions.
    calibration : float or None
        Mean distance between forecasts and results over ten bins; None for sessions.
    behind, behind_margin : float
        Nats per result by which the best method is better, and half the width of the 95 % interval; 0 for the best.
    apart : bool
        Whether that is more than chance, with all comparisons taken together (Holm).
    as_it_comes : float or None
        Log loss on the same results before tuning; None if not computed.
    unrated : int
        Results of the test that the method does not forecast; they are scored for no method.
    """

    label: str
    text: str
    settings: int
    log_loss: float
    low: float
    high: float
    brier: float
    accuracy: float | None
    calibration: float | None
    behind: float
    behind_margin: float
    apart: bool
    as_it_comes: float | None
    unrated: int


@frozen
class Result:
    """The comparison of one archive.

    Parameters
    ----------
    key : str
    files : mapping of str to str
        SHA-256 of each file that was read.
    results, tested, scored : int
        Numbers of results in the pool, in the test, and in the test with a forecast of every method.
    players : int
    first, last : str
        Days of the first and last result.
    by : str
        What the intervals allow for, such as players and months.
    rows : tuple of Row
        Best log loss first.
    gains : tuple of Gain
        For each pair of `QUESTIONS` in the table.
    left_out : mapping of str to str
        Why methods are not in the table.
    made_with : mapping of str to str
    """

    key: str
    files: Mapping[str, str]
    results: int
    tested: int
    scored: int
    players: int
    first: str
    last: str
    by: str
    rows: tuple[Row, ...]
    gains: tuple[Gain, ...]
    left_out: Mapping[str, str]
    made_with: Mapping[str, str]

    @property
    def level(self) -> tuple[Row, ...]:
        """The best method, and those that are not significantly worse."""
        return tuple(row for row in self.rows if not row.apart)

    def row(self, label: str) -> Row | None:
        """Returns the row of a method, or None if the table has none."""
        return next((row for row in self.rows if row.label == label), None)

    def write(self, folder: Path) -> None:
        """Writes the numbers into a folder, as JSON."""
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(asdict(self), indent=1, ensure_ascii=False)
        (folder / f"{self.key}.json").write_text(f"{text}\n", encoding="utf-8")

    def gain(self, one: str, other: str) -> Gain | None:
        """Returns the gain of one method over another, or None if it was not computed."""
        return next((gain for gain in self.gains if (gain.one, gain.other) == (one, other)), None)

    @classmethod
    def read(cls, path: Path) -> "Result":
        """Reads the numbers from a file."""
        kept = json.loads(path.read_text(encoding="utf-8"))
        rows, gains = (tuple(Row(**row) for row in kept["rows"]), tuple(Gain(**gain) for gain in kept["gains"]))
        return cls(**{**kept, "rows": rows, "gains": gains})


@frozen
class Chosen:
    """A candidate with the parameters chosen in training."""

    candidate: Candidate
    text: str
    settings: int = 0


def compared(archive: Archive, folder: Path, *, fetch: bool = False, say: Say = lambda line: None) -> Result:
    """Reads an archive, tunes its methods on the training part and scores them on the test part.

    Parameters
    ----------
    archive : Archive
    folder : path
        Folder of the downloads.
    fetch : bool
        Whether to download missing files.
    say : callable
        Called with a line of progress now and then.

    Raises
    ------
    FileMissing, WrongFile, RatingCoreError
    """
    paths = located(archive.files, folder, fetch=fetch)
    with opened(":memory:") as engine:
        archive.read(engine, paths)
        chosen, left_out = _all_tuned(archive, engine, say)
        untuned = _untuned(engine, chosen)
        asked = _forecasts(archive, engine, list(dict.fromkeys([*chosen, *untuned.values()])))
        numbers = judged(asked, archive.unit, list(chosen))
        view = engine.core.view(POOL, None, None)
        since = view.instant(archive.split)
        kind = asked.sessions if archive.unit == "session" else asked.games
        absent = {**archive.left_out, **left_out, **_names(asked, chosen)}
        return Result(
            archive.key, digests(paths), len(kind.played), int(np.count_nonzero(kind.played.played >= since)), kind.n,
            view.n_players, _day(int(kind.played.played[0])), _day(int(kind.played.played[-1])), numbers.by,
            tuple(_rows(archive, asked, numbers, chosen, untuned)), tuple(_gains(numbers, chosen)), absent,
            {"ratingcore": __version__, "numpy": np.__version__, "python": platform.python_version()},
        )  # fmt: skip


def _day(at: int) -> str:
    return (date(1970, 1, 1) + timedelta(microseconds=at)).isoformat()


def _names(asked: CommonForecasts, chosen: Mapping[str, Chosen]) -> dict[str, str]:
    return {chosen[text].candidate.label: why for text, why in asked.left_out.items() if text in chosen}


# tuned


def _all_tuned(archive: Archive, engine: Engine, say: Say) -> tuple[dict[str, Chosen], dict[str, str]]:
    """Returns the chosen candidates by their texts, and the error of each candidate that failed."""
    chosen: dict[str, Chosen] = {}
    left_out: dict[str, str] = {}
    for candidate in archive.candidates:
        try:
            made = _tuned(archive, candidate, engine)
        except RatingCoreError as problem:
            left_out[candidate.label] = str(problem)
        else:
            chosen[made.text] = made
            say(f"  {made.text}")
    return chosen, left_out


def _tuned(archive: Archive, candidate: Candidate, engine: Engine) -> Chosen:
    if not candidate.grid:
        return Chosen(candidate, candidate.text)
    last = datetime.combine(date.fromisoformat(archive.split), time(), UTC) - timedelta(seconds=1)
    tuned = engine.tune(
        POOL, candidate.text, candidate.grid, train=(None, last - timedelta(seconds=1)), test=(last, last),
        refit=archive.tune_refit or archive.refit, jobs=1,
    )  # fmt: skip  # `tune` needs a test span; the last second before the test has no results
    return Chosen(candidate, tuned.best.method, len(tuned))


def _untuned(engine: Engine, chosen: Mapping[str, Chosen]) -> dict[str, str]:
    """Maps each tuned method to its text before tuning, which is scored too.

    If the method before tuning is another candidate anyway, that candidate's text is used. Retrospective methods, whose
    fits take long, are left out.
    """
    methods = {text: engine.registry.method(text) for text in chosen}
    asked, made = {identity(method): text for text, method in methods.items()}, {}
    for text, one in chosen.items():
        if one.settings and methods[text].cadence is not Cadence.RETROSPECTIVE:
            was = identity(engine.registry.method(one.candidate.text))
            made[text] = asked.setdefault(was, one.candidate.text)
    return made


def _forecasts(archive: Archive, engine: Engine, texts: Sequence[str]) -> CommonForecasts:
    view = engine.core.view(POOL, None, None)
    asked = [(text, engine.registry.method(text)) for text in texts]
    return ask(asked, view, view.instant(archive.split), refit=archive.refit)


# scored


def _rows(
    archive: Archive, asked: CommonForecasts, numbers: Judged, chosen: Mapping[str, Chosen], untuned: Mapping[str, str]
) -> list[Row]:
    best, *_ = numbers.ranked
    level = {pair.other for pair in indistinct(best, list(numbers.against_best.values()))}
    marks = _of_sessions if archive.unit == "session" else _of_games
    kind = asked.sessions if archive.unit == "session" else asked.games
    made = []
    for text in numbers.ranked:
        loss, mine, pair = numbers.loss[text], chosen[text], numbers.against_best.get(text)
        low, high = loss.interval_above_zero or (np.nan, np.nan)
        was = numbers.log_loss.get(untuned.get(text, ""))
        made.append(Row(
            mine.candidate.label, text, mine.settings, _rounded(loss.mean), _rounded(low), _rounded(high),
            *marks(asked, text), _rounded(pair.estimate.mean) if pair else 0.0,
            _rounded(pair.estimate.margin) if pair else 0.0, pair is not None and text not in level,
            None if was is None else _rounded(was), kind.unrated(text),
        ))  # fmt: skip
    return made


def _gains(numbers: Judged, chosen: Mapping[str, Chosen]) -> Iterator[Gain]:
    texts = {chosen[text].candidate.label: text for text in numbers.ranked}
    for one, other in QUESTIONS:
        if one in texts and other in texts:
            scored = numbers.gap(texts[one], texts[other])
            yield Gain(one, other, _rounded(scored.mean), _rounded(scored.margin))


def _of_games(asked: CommonForecasts, text: str) -> tuple[float, float | None, float | None]:
    """Returns the Brier score, the share of games won by the favourite, and the calibration error."""
    scored = scores(asked.games.forecasts[text], asked.games.played, asked.games.which)
    return _rounded(scored.brier), _rounded(scored.accuracy), _rounded(scored.ece)


def _of_sessions(asked: CommonForecasts, text: str) -> tuple[float, float | None, float | None]:
    kind = asked.sessions
    strengths, played = kind.forecasts[text].strengths, kind.played.some(kind.which)
    assert strengths is not None, "only methods that forecast sessions are asked"
    if kind.which is not None:
        strengths = strengths.take(np.flatnonzero(np.repeat(kind.which, np.diff(kind.played.result))))
    return _rounded(float(session_losses(strengths, played.result, played.score).brier.mean())), None, None


def _rounded(number: float | None) -> float:
    return round(float(number if number is not None else np.nan), DIGITS)
