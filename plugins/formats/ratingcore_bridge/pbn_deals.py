"""Deals of PBN files as tags: what stands in the file, and what it takes over from the deals before."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ratingcore.plugin.readers import Source

_TAG = re.compile(r'\s*\[\s*([A-Za-z0-9_]{1,40})\s*"((?:[^"\\]|\\.)*)"\s*\]\s*(.*)')
_ESCAPED = re.compile(r'\\(["\\])')
_TAKEN_OVER = frozenset({"Event", "Site", "Date", "Board"})
"""Tags that a further table of a deal may leave out."""
TABLE = "TotalScoreTable"
"""The section that is kept, of all that may follow a tag."""


class Deal(NamedTuple):
    """A deal as it was played at one table.

    Attributes
    ----------
    line : int
        Where its first tag stands.
    tags : dict of str to str
        Empty values are left out.
    table : list of str
        Lines of the totals of the session, if they follow here.
    """

    line: int
    tags: dict[str, str]
    table: list[str]


class _Inherited:
    """Values that later deals take over."""

    def __init__(self) -> None:
        self._last: dict[str, str] = {}
        self._lasting: dict[str, str] = {}

    def completed(self, deal: Deal) -> Deal:
        """The deal with what `#`, `##` and missing tags take over from those before."""
        tags: dict[str, str] = {}
        for name, value in deal.tags.items():
            if value.startswith("##"):
                self._lasting[name] = tags[name] = value[2:] or self._last.get(name, "")
            else:
                tags[name] = self._last.get(name, "") if value == "#" else value
                if value != "#":
                    self._lasting.pop(name, None)
        for name, value in self._lasting.items():
            tags.setdefault(name, value)
        for name in _TAKEN_OVER:
            if name not in tags and name in self._last:
                tags[name] = self._last[name]
        self._last.update(tags)
        return deal._replace(tags={name: value for name, value in tags.items() if value not in ("", "?")})


def _opens_comment(text: str) -> bool:
    """Whether a comment begins in a text that does not end there."""
    while True:
        before, opened, rest = text.partition("{")
        if not opened or ";" in before:
            return False
        _, closed, text = rest.partition("}")
        if not closed:
            return True


def deals(source: Source) -> Iterator[Deal]:
    """Yields the deals of a file; blank lines part them, and so does a second tag `Board` or `Event`."""
    inherited = _Inherited()
    deal: Deal | None = None
    section, comment, parted = "", False, True
    for number, line in source.lines("cp1252"):
        match = _TAG.match(line)
        if comment and not (parted and match):  # a comment that does not end swallows no more than its deal
            parted = not line.strip()
            _, closed, line = line.partition("}")
            comment = not closed
            if not line.strip():  # where a comment ends is no blank line
                continue
            parted, match = False, _TAG.match(line)
        if line.startswith("%"):
            continue
        if not line.strip():
            parted = True
            continue
        if match is not None or section != TABLE:
            comment = _opens_comment(line if match is None else match[3])
        if match is None:
            if deal is not None and section == TABLE:
                deal.table.append(line)
            continue
        name, value = match[1], _ESCAPED.sub(r"\1", match[2]).strip()
        if deal is None or parted or (name in ("Board", "Event") and name in deal.tags):
            if deal is not None:
                yield inherited.completed(deal)
            deal = Deal(number, {}, [])
        parted = False
        section = name
        deal.tags.setdefault(name, value)
    if deal is not None:
        yield inherited.completed(deal)
