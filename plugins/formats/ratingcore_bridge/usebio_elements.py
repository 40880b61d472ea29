"""Elements of a USEBIO file: their lines, their texts, and the parts of an event that hold a session each."""

from collections.abc import Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element

__all__ = ["Element", "Part", "excerpt", "inner", "line_of", "parts", "text_of", "whole"]

_LONGEST = 200
"""Characters of an excerpt."""


class Part(NamedTuple):
    """An event, or a session or section of it.

    Attributes
    ----------
    label : str
        The ids of session and section, `2:A`; empty for a whole event.
    element : Element
    date : str
        The day as it stands there, or in what it is a part of.
    """

    label: str
    element: Element
    date: str


def line_of(element: Element) -> int:
    """Returns the line an element begins on."""
    return getattr(element, "line", 1)


def text_of(element: Element, path: str) -> str:
    """Returns the text of an element below, with one blank between words; nothing if there is none."""
    return " ".join((element.findtext(path) or "").split())


def excerpt(element: Element) -> str:
    """Returns the beginning of the texts of an element, for a report."""
    return " ".join(" ".join(element.itertext()).split())[:_LONGEST]


def whole(event: Element) -> Part:
    """Returns an event as the one part of itself."""
    return Part("", event, text_of(event, "DATE"))


def inner(part: Part) -> Iterator[Part]:
    """Yields the sessions and sections inside a part, labelled by their ids, or by their order where they have none."""
    used: set[str] = set()
    for kind in ("SESSION", "SECTION"):
        for order, element in enumerate(part.element.findall(kind), 1):
            own = element.get(f"{kind}_ID") or text_of(element, f"{kind}_ID") or str(order)
            own = " ".join(own.split())
            if own in used:
                own = f"{own}.{order}"
            used.add(own)
            date = text_of(element, "DATE") or text_of(element, f"{kind}_DATE") or part.date
            yield Part(f"{part.label}:{own}" if part.label else own, element, date)


def parts(event: Element) -> list[Part]:
    """Returns the innermost parts of an event that have participants of their own."""
    return _below(whole(event))


def _below(part: Part) -> list[Part]:
    deeper = [one for below in inner(part) for one in _below(below)]
    return deeper or ([part] if part.element.find("PARTICIPANTS") is not None else [])
