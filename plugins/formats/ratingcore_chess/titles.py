"""Titles and sexes in chess files, in FIDE's spelling."""

from collections.abc import Iterable, Iterator

from ratingcore.plugin.readers import Warning

TITLES = {
    "g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM", "wc": "WCM",
    "gm": "GM", "im": "IM", "fm": "FM", "cm": "CM", "wgm": "WGM", "wim": "WIM", "wfm": "WFM", "wcm": "WCM",
}  # fmt: skip
SEXES = {"m": "m", "w": "f", "f": "f"}


def title_of(text: str) -> str:
    """Returns the FIDE title in a text; empty for titles of other federations and of servers.

    Examples
    --------
    >>> title_of("g"), title_of(" WIM "), title_of("BOT")
    ('GM', 'WIM', '')
    """
    return TITLES.get(text.strip().lower(), "")


def other_titles(given: Iterable[tuple[str, int]]) -> Iterator[Warning]:
    """Yields a remark on titles other than FIDE's, with the lines of the players who have them.

    Examples
    --------
    >>> [remark.text for remark in other_titles([("NM", 3), ("gm", 4), ("-", 5), ("NM", 7)])]
    ["titles that are not FIDE's are left out: NM (line 3, 7)"]
    """
    lines: dict[str, list[str]] = {}
    for text, line in given:
        if (word := text.strip(" -?")) and not title_of(word):
            lines.setdefault(word, []).append(str(line))
    if lines:
        listed = (f"{word} (line {', '.join(at[:5])}{', ...' * (len(at) > 5)})" for word, at in lines.items())
        yield Warning(0, f"titles that are not FIDE's are left out: {', '.join(listed)}")
