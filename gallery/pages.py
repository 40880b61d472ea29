"""The pages of the gallery, in plain HTML and SVG: one for each archive, an index, and their style sheet."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from attrs import frozen
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from gallery.archives import ARCHIVES, Archive, Candidate
from gallery.comparing import Result
from gallery.files import Download
from gallery.lessons import BLIND, lessons, name_of
from gallery.pictures import behind
from ratingcore.methods.text import split

HERE = Path(__file__).parent
LOOKING_BACK = BLIND | {"berkin"}
"""Methods that are fitted to all results at once."""


@frozen
class Shown:
    """An archive with its numbers, or with the reason why there are none.

    Parameters
    ----------
    archive : Archive
    result : Result or None
    why, hint : str
        What went wrong, and what to do.
    """

    archive: Archive
    result: Result | None
    why: str = ""
    hint: str = ""

    @property
    def key(self) -> str:
        """The name of its page."""
        return self.archive.key

    @property
    def title(self) -> str:
        """The heading of its page."""
        return self.archive.title

    @property
    def short(self) -> str:
        """The name in its links."""
        return self.archive.key.replace("-", " ")


def pages(shown: Sequence[Shown]) -> dict[str, str]:
    """Returns the text of every file of the gallery, by its name."""
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    environment.filters["code"] = coded
    results = {each.key: each.result for each in shown if each.result is not None}
    made_with = next((dict(result.made_with) for result in results.values()), {})
    every = {"archives": shown, "made_with": made_with}
    index = {
        "here": "", "shown": [each for each in shown if each.result],
        "missing": [each for each in shown if not each.result],
        "kinds": len({name_of(row) for result in results.values() for row in result.rows}),
        "lessons": lessons(results), "methods": _across(list(results.values())),
    }  # fmt: skip
    made = {"index.html": environment.get_template("index.html").render({**every, **index})}
    for each in shown:
        made[f"{each.key}.html"] = environment.get_template("archive.html").render({**every, **_archive(each)})
    made["style.css"] = _style()
    return made


def coded(text: str) -> Markup:
    """Escapes plain text and marks text in backticks as code.

    Examples
    --------
    >>> coded("run `a < b`")
    Markup('run <code>a &lt; b</code>')
    """
    parts = [escape(part) for part in text.split("`")]
    return Markup("").join(Markup("<code>{}</code>").format(part) if n % 2 else part for n, part in enumerate(parts))


def _style() -> str:
    own = files("ratingcore_pages").joinpath("static", "style.css").read_text("utf-8")
    return f"{own}\n{(HERE / 'style.css').read_text('utf-8')}"


def _archive(each: Shown) -> dict[str, Any]:
    archive, result = each.archive, each.result
    return {
        "here": each.key, "archive": archive, "result": result, "unit": archive.unit,
        "why": each.why, "hint": each.hint,
        "looked_back": any(name_of(row) in LOOKING_BACK for row in result.rows) if result else False,
        "refit": archive.refit.replace("days(7)", "week").replace("days(1)", "day"),
        "tried": {candidate.label: _tried(candidate) for candidate in archive.candidates},
        "ends": _ends(archive, result),
        "picture": behind(result) if result else "", "answer": answer(result, archive.unit) if result else "",
    }  # fmt: skip


def _ends(archive: Archive, result: Result | None) -> dict[str, str]:
    """Returns for every method the parameters whose chosen value is at an end of those tried."""
    candidates = {candidate.label: candidate for candidate in archive.candidates}
    rows = result.rows if result else ()
    return {row.label: _at_ends(candidates[row.label], row.text) for row in rows if row.label in candidates}


def _tried(candidate: Candidate) -> str:
    """Returns the values tried, as text for readers."""
    return "; ".join(
        f"{name} {values if isinstance(values, str) else ', '.join(values)}" for name, values in candidate.grid.items()
    )


def _at_ends(candidate: Candidate, text: str) -> str:
    """Returns the parameters whose best value was the first or last one tried, so that others might be better."""
    chosen = split(text)[1]
    at_ends = []
    for name, values in candidate.grid.items():
        first, last = (values.split(":")[:2]) if isinstance(values, str) else (values[0], values[-1])
        if (
            first != last
            and _is_number(first)
            and _is_number(last)
            and float(chosen[name]) in (float(first), float(last))
        ):
            at_ends.append(name)
    return ", ".join(at_ends)


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal()


def answer(result: Result, unit: str) -> str:
    """Names the best method, and those not significantly worse, in a sentence."""
    best, *others = result.level
    loss = f"log loss {best.log_loss:.4f} over {result.scored:,} {unit}{'s' if result.scored > 1 else ''}"
    beaten = len(result.rows) - len(result.level)
    if not others:
        return f"{best.label} forecasts best: {loss}, better than each of the {beaten} others."
    names = ", ".join(row.label for row in others)
    rest = f"; better than each of the {beaten} others" if beaten else ""
    return f"{best.label} has the least {loss}, but is not significantly better than {names}{rest}."


def _across(results: Sequence[Result]) -> list[tuple[str, list[str]]]:
    """Returns every method with a cell for each archive; methods that fit most archives come first."""
    labels = dict.fromkeys(row.label for result in results for row in result.rows)
    made: Mapping[str, list[str]] = {label: [_cell(result, label) for result in results] for label in labels}
    return sorted(made.items(), key=lambda item: (sum(not cell for cell in item[1]), item[0]))


def _cell(result: Result, label: str) -> str:
    row = result.row(label)
    if row is None:
        return ""
    if row is result.rows[0]:
        return "best"
    return f"{1000 * row.behind:.1f}{'' if row.apart else ' ≈'}"


def write(folder: Path, shown: Sequence[Shown]) -> None:
    """Writes the pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages(shown).items():
        (folder / name).write_text(text, encoding="utf-8")


def kept(results: Path) -> list[Shown]:
    """Returns all archives with their numbers stored in a folder."""
    return [Shown(archive, *_kept(results, archive)) for archive in ARCHIVES]


def _kept(results: Path, archive: Archive) -> tuple[Result | None, str, str]:
    path = results / f"{archive.key}.json"
    if path.exists():
        return Result.read(path), "", ""
    address = next((file.address for file in archive.files if isinstance(file, Download)), "")
    first = f"download {address} to gallery/downloads, and " if address else ""
    return (
        None,
        "its numbers have not been made yet",
        f"{first}run `python -m gallery --only {archive.key}`",
    )
