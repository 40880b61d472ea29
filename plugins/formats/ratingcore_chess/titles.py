"""Titles and sexes as files of chess spell them, in FIDE's spelling."""

TITLES = {
    "g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM", "wc": "WCM",
    "gm": "GM", "im": "IM", "fm": "FM", "cm": "CM", "wgm": "WGM", "wim": "WIM", "wfm": "WFM", "wcm": "WCM",
}  # fmt: skip
SEXES = {"m": "m", "w": "f", "f": "f"}


def title_of(text: str) -> str:
    """Returns the title that a text means, or nothing: federations and servers have titles of their own.

    Examples
    --------
    >>> title_of("g"), title_of(" WIM "), title_of("BOT")
    ('GM', 'WIM', '')
    """
    return TITLES.get(text.strip().lower(), "")
