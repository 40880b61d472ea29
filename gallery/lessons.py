"""The lessons of the gallery: sentences whose figures and verdicts are computed from the results."""

from collections.abc import Callable, Mapping, Sequence
from statistics import median

from gallery.comparing import Gain, Result, Row

Results = Mapping[str, Result]
HALF = 0.693147
"""Log loss of always forecasting one half."""
BLIND = frozenset({"bradley-terry", "whr", "trueskill-through-time"})
"""Methods that do not read ratings from outside."""


def lessons(results: Results) -> list[str]:
    """Returns all lessons, without those whose archives are missing."""
    return [sentence for make in LESSONS if (sentence := make(results))]


def winners(results: Results) -> str | None:
    """Whether one method is best everywhere."""
    decided = [made for made in results.values() if len(made.level) < len(made.rows)]
    if len(decided) < 2:
        return None
    best = sorted({name_of(made.rows[0]) for made in decided})
    many = f"{len(decided)} of the {len(results)} archives here show a difference between methods"
    if len(best) == 1:
        return f"One method is right for everything here: {many}, and {best[0]} forecasts best on all of them."
    return f"No method is right for everything: {many}, and {_listed(best)} each forecast best on at least one."


def home(results: Results) -> str | None:
    """What the home advantage is worth, against a better formula."""
    gains = _gains(results, ("elo, home", "elo, no home"))
    if not _shown(gains):
        return None
    more = [key for key, gain in gains.items() if gain.gain > _behind(results[key], "elo, home")]
    verdict = "less than the best method adds on top"
    if more:
        where = "" if len(more) == len(gains) else f" in {_places(more)}"
        verdict = f"which{where} is more than the best method adds on top"
    return f"Use the home advantage first: it gains Elo {_each(gains)}, {verdict}."


def margins(results: Results) -> str | None:
    """What the margin of victory is worth."""
    bare, plain = "elo-margin, no margin", "elo, home"
    gains = _gains(results, ("elo-margin, nba538", bare), ("elo-margin, nfl538", bare), ("elo-margin, goals", plain))
    if not gains:
        return None
    return f"Reading by how much a side won gains {_each(gains)}{_beyond_chance(gains)}."


def tuning(results: Results) -> str | None:
    """What tuning is worth, and where it made a method worse."""
    gains = {key: gain for key, made in results.items() if (gain := _tuned(made)) is not None and len(made.rows) > 5}
    if not gains:
        return None
    lost = [(gain, row, key) for key in gains for row in results[key].rows if (gain := _gain(row)) is not None]
    worst, row, key = min(lost, key=lambda found: found[0])
    verdict = f"but {row.label} got worse by {-worst:.4f} in {_place(key)}" if worst < 0 else "and no method got worse"
    each = _listed([f"{gain:.4f} in {_place(key)}" for key, gain in gains.items()])
    return f"Tune parameters on older results: on newer ones the median method gains {each}, {verdict}."


def season(results: Results) -> str | None:
    """What carrying part of a rating into a new season is worth."""
    gains = _gains(results, ("elo-margin, no margin", "elo, home"))
    if not gains:
        return None
    return (
        "Drawing ratings towards the mean before each season, since teams change over the summer, "
        f"gains Elo {_each(gains)}{_beyond_chance(gains)}."
    )


def deviations(results: Results) -> str | None:
    """What knowing the uncertainty of ratings is worth."""
    gains = _gains(results, ("glicko", "elo, home"), ("glicko", "elo"))
    if len(gains) < 2:
        return None
    return (
        f"Tuned Glicko, which knows how sure each rating is, gains on tuned Elo {_each(gains)}{_beyond_chance(gains)}."
    )


def hindsight(results: Results) -> str | None:
    """How well methods forecast that look back over all results."""
    gains = _gains(results, ("whr", "elo, no home"))
    if not gains:
        return None
    return (
        "Whole-History Rating, which fits the whole past anew every month, gains on Elo without home advantage "
        f"{_each(gains)}{_beyond_chance(gains)}."
    )


def outside(results: Results) -> str | None:
    """What ratings from outside are worth if there are few games."""
    made = results.get("go-congress")
    if made is None:
        return None
    blind = [row for row in made.rows if name_of(row) in BLIND]
    seeing = [row for row in made.rows if name_of(row) not in BLIND]
    if not blind or not seeing:
        return None
    near = min(row.log_loss for row in blind)
    beaten = sum(row.log_loss < near for row in seeing)
    return (
        f"Where games are few, begin with known ratings: at the go congress {beaten} of the {len(seeing)} methods that "
        f"read the ratings of players before it forecast better than all others; the best log losses are "
        f"{made.rows[0].log_loss:.4f} and {near:.4f}."
    )


def luck(results: Results) -> str | None:
    """How little of riichi can be forecast."""
    made = results.get("riichi")
    if made is None:
        return None
    best, last = made.rows[0], made.rows[-1]
    sure = sum(row.log_loss > HALF for row in made.rows)
    return (
        f"In a game of luck, distrust every forecast: in three months of riichi {sure} of {len(made.rows)} methods "
        f"have a larger log loss than a coin, which has {HALF:.4f}; {best.label} has {best.log_loss:.4f}, {last.label} "
        f"{last.log_loss:.4f}."
    )


def small(results: Results) -> str | None:
    """How little a small archive can show."""
    made = results.get("bridge-club")
    if made is None:
        return None
    left, best = len(made.level), made.rows[0]
    verdict = "show no difference between methods" if left == len(made.rows) else f"leave {left} methods to choose from"
    return (
        f"A few evenings are not enough to choose a method: {made.results} bridge sessions, {made.scored} of them "
        f"scored, {verdict}, and the best log loss may be anything from {best.low:.4f} to {best.high:.4f}."
    )


LESSONS: Sequence[Callable[[Results], str | None]] = (
    winners, home, margins, season, tuning, deviations, hindsight, outside, luck, small,
)  # fmt: skip


def name_of(row: Row) -> str:
    """Returns the name of a row's method, without its note."""
    return row.label.partition(",")[0]


def _gains(results: Results, *pairs: tuple[str, str]) -> dict[str, Gain]:
    """Returns the gain of the first method over the second, for each archive that has one of the pairs."""
    found = {key: gain for one, other in pairs for key, made in results.items() if (gain := made.gain(one, other))}
    return {key: found[key] for key in results if key in found}


def _shown(gains: Mapping[str, Gain]) -> list[str]:
    """Returns the archives on which a gain is significant."""
    return [key for key, gain in gains.items() if gain.gain > gain.margin]


def _beyond_chance(gains: Mapping[str, Gain]) -> str:
    """Names the archives with a significant gain, unless all have: `, more than chance in football only`."""
    shown = _shown(gains)
    if len(shown) == len(gains):
        return ""
    against = [key for key, gain in gains.items() if gain.gain < -gain.margin]
    loss = f", and a loss in {_places(against)}" if against else ""
    return f", more than chance in {_places(shown)} only{loss}" if shown else f", no more than chance{loss}"


def _behind(made: Result, label: str) -> float:
    row = made.row(label)
    return 0.0 if row is None else row.log_loss - made.rows[0].log_loss


def _tuned(made: Result) -> float | None:
    """Returns the median gain of methods by tuning."""
    gains = [gain for row in made.rows if (gain := _gain(row)) is not None]
    return median(gains) if gains else None


def _gain(row: Row) -> float | None:
    """Returns the gain of a method by tuning."""
    return None if row.as_it_comes is None else row.as_it_comes - row.log_loss


def _places(keys: Sequence[str]) -> str:
    return _listed([_place(key) for key in keys])


def _place(key: str) -> str:
    return {"go-congress": "go", "international-football": "football"}.get(key, key.replace("-", " "))


def _each(gains: Mapping[str, Gain]) -> str:
    """`0.0279 ± 0.0091 nats a game in basketball and 0.0216 ± 0.0061 in football`."""
    first, *others = [
        (f"{gain.gain:.4f} ± {gain.margin:.4f}".replace("-", "\N{MINUS SIGN}"), _place(key))
        for key, gain in gains.items()
    ]
    return _listed([f"{first[0]} nats a game in {first[1]}", *(f"{gain} in {place}" for gain, place in others)])


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
