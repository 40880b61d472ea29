"""The look of pages (title, language, style, templates) and the addresses of their links."""

import re
from collections.abc import Callable, Collection, Mapping
from functools import cached_property, partial
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen
from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PackageLoader,
    StrictUndefined,
    pass_context,
)
from jinja2.runtime import Context
from markupsafe import Markup, escape

from ratingcore import Event, __version__
from ratingcore.plugin.analysis import Score, SessionPoints, event_of, row_of
from ratingcore.plugin.commands import Wording, sentence
from ratingcore_pages.rules import in_words, listed_in_words
from ratingcore_pages.words import (
    FIELDS,
    HEADINGS,
    MINUS,
    RESULTS,
    catalogue,
    day,
    halves,
    isolated,
    labels,
    number,
    ordinal,
    signed,
    written,
)

if TYPE_CHECKING:
    from ratingcore.plugin.stores import Log

Links = Callable[[str], str]
"""Returns the address of a page by its path, such as `rapid/players/12`; empty if the page does not exist."""

RESERVED = (
    "about", "api", "desk", "embed", "events", "feed.xml", "index.html", "jobs", "live", "live.js", "log", "metrics",
    "ready", "search.js", "search.json", "sitemap.xml", "static", "style.css", "x",
)  # fmt: skip
"""First parts of addresses that a site or a service uses itself, so that pools cannot have them."""

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")


@frozen
class Look:
    """Settings shared by all pages of a site.

    Parameters
    ----------
    title : str
        Name of the site, at the top of each page.
    language : str
        One of `ratingcore_pages.words.LANGUAGES`.
    css : str
        Rules that come after those of the style sheet.
    templates : path or None
        A folder of templates that replace bundled ones of the same name.
    packages : tuple of str
        Packages with further templates and translations, such as the service.
    """

    title: str = "Ratings"
    language: str = field(default="en", validator=lambda look, _, language: catalogue(language) and None)
    css: str = ""
    templates: Path | None = None
    packages: tuple[str, ...] = ()

    @cached_property
    def style(self) -> str:
        """The style sheet."""
        own = closed_up(files("ratingcore_pages").joinpath("static", "style.css").read_text("utf-8"))
        return f"{own}\n{self.css}" if self.css else own

    @cached_property
    def environment(self) -> Environment:
        """The template environment, which escapes values."""
        bundled: list[BaseLoader] = [PackageLoader(package) for package in ("ratingcore_pages", *self.packages)]
        own: list[BaseLoader] = [] if self.templates is None else [FileSystemLoader(self.templates)]
        loader = ChoiceLoader([*own, *bundled])
        made = Environment(
            loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
            extensions=["jinja2.ext.i18n"],
        )  # fmt: skip
        words = catalogue(self.language, *self.packages)
        made.install_gettext_translations(words, newstyle=True)  # type: ignore[attr-defined]  # of the extension
        word = words.gettext
        # filters for values that a page shows hundreds of times: macros are five times as slow
        made.filters |= {"number": self.number, "link": link, "pair": pair, "word": word}
        made.filters["change"] = lambda amount, places=1: change(amount, places, self.written)
        made.filters["day"] = lambda text: day(text, self.language)
        made.filters["dated"] = lambda text: Markup('<span class="day">%s</span>') % day(text, self.language)
        made.filters["bdi"] = Markup("<bdi>%s</bdi>").__mod__
        made.filters["labels"] = lambda picture: Markup(labels(picture, self.language))  # of our own, escaped
        made.filters["written"] = lambda value: self.written(value) if type(value) is str else value  # no picture
        results = {ahead: word(text) for ahead, text in RESULTS.items()}

        def result(score: Score | None) -> str:
            if score is None:
                return ""
            if score.outcome is not None:
                return results[score.outcome]
            if isinstance(score, SessionPoints):
                return results[None] % {"place": ordinal(score.place, self.language), "sides": score.sides}
            return self.number(score, 2)

        made.filters |= {"result": result, "outcome": results.__getitem__}
        made.filters["rule"] = lambda method: in_words(method, word, self.written)
        made.filters["points"] = lambda points: self.written(halves(points))
        made.filters["repeated"] = lambda text: (text, text)
        made.filters["heading"] = lambda column: (
            word(HEADINGS[column]) if column in HEADINGS else column.replace("_", " ")
        )
        made.globals |= {"site": self.title, "language": self.language}
        made.globals |= {"served": None, "pool": None, "part": "", "made_from": ()}  # unless a page has its own
        return made

    def word(self, text: str) -> str:
        """Translates a text to the language of the pages."""
        return self.environment.filters["word"](text)  # type: ignore[no-any-return]

    def written(self, text: str) -> str:
        """Formats a day or a number as the language writes it."""
        return written(text, self.language)

    def number(self, value: float | int | None, places: int | None = None) -> str:
        """Formats a number as the language writes it, with a number of decimals."""
        return written(number(value, places), self.language)

    def wording(self, log: "Log") -> Wording:
        """Returns the phrasing of events in the language of the pages; events are named by position."""
        word = self.word

        def field(name: str) -> str:
            return word(FIELDS.get(name) or HEADINGS.get(name, name))

        return Wording(
            word, lambda uid: f"#{row_of(log, uid).position}", field, self.written,
            lambda policy: listed_in_words(policy, word), lambda method: in_words(method, word, self.written), isolated,
        )  # fmt: skip

    def sentence(self, event: Event, log: "Log") -> str:
        """Describes an event of a log, or one to be recorded, in the language of the pages."""
        return sentence(event, partial(event_of, log), self.wording(log))

    @cached_property
    def digest(self) -> str:
        """Digest of all that pages depend on except the log: version, style, templates, language and title."""
        loader = self.environment.loader
        assert loader is not None
        texts = [loader.get_source(self.environment, name)[0] for name in sorted(loader.list_templates())]
        every = "\0".join([__version__, self.title, self.language, self.style, *texts])
        return sha256(every.encode()).hexdigest()

    def page(self, template: str, values: Mapping[str, Any], links: Links, *, alone: bool = False) -> str:
        """Renders a page as HTML; a page `alone` contains its style."""
        given = {**values, "to": links, "style": Markup(self.style) if alone else None}  # style sheets are trusted
        return self.environment.get_template(f"{template}.html").render(given)


@pass_context
def link(context: Context, text: str, *path: str | int) -> str:
    """Returns a text as a link to a page, if it exists; a path has parts, and one that is empty or 0 means no page."""
    address = context["to"]("".join(map(str, path))) if all(path) else ""
    return Markup(f'<a href="{escape(address)}">{escape(text)}</a>') if address else text


def pair(one: int, other: int) -> str:
    """Returns the part of an address for two players, the same in either order; empty if one of them is 0."""
    if not (one and other):
        return ""
    return f"{one}-{other}" if one < other else f"{other}-{one}"


def change(amount: float | None, places: int = 1, shown: Callable[[str], str] = str) -> str:
    """Returns a change with its sign, coloured by direction."""
    text = shown(signed(amount, places))
    if amount is None or not text:
        return ""
    way = {"+": "up", MINUS: "down"}.get(text[0], "soft")
    return Markup(f'<span class="{way}">{text}</span>')  # a number


def closed_up(style: str) -> str:
    """Minifies one of our style sheets.

    Examples
    --------
    >>> closed_up(".up { color: red; } .down { color: blue; }")
    '.up{color:red}.down{color:blue}'
    """
    for own, sent in ((" {", "{"), ("{ ", "{"), ("; }", "}"), ("} ", "}"), ("; ", ";"), (": ", ":"), (", ", ",")):
        style = style.replace(own, sent)
    return "".join(map(str.strip, style.splitlines()))


def nowhere(path: str) -> str:
    """Returns an empty address for every page, since a single page has no links."""
    return ""


def within(files: Mapping[str, str], page: str) -> Links:
    """Returns the links of a page in a folder: relative, as short as possible, and only to pages with a file.

    Examples
    --------
    >>> to = within({"": "index.html", "rapid/players/2": "rapid/players/2.html"}, "rapid/players/1")
    >>> to(""), to("rapid/players/2"), to("rapid/players/3")
    ('../../index.html', '2.html', '')
    """
    *folders, _ = file_of(page).split("/")
    near = [("".join(f"{one}/" for one in folders[: len(folders) - up]), "../" * up) for up in range(len(folders) + 1)]

    def to(path: str) -> str:
        if file := files.get(path):
            for folder, up in near:
                if file.startswith(folder):
                    return up + file[len(folder) :]
        return ""

    return to


def file_of(path: str) -> str:
    """Returns the file of a page in a folder.

    Examples
    --------
    >>> file_of(""), file_of("rapid/"), file_of("rapid/players/12"), file_of("feed.xml")
    ('index.html', 'rapid/index.html', 'rapid/players/12.html', 'feed.xml')
    """
    if not path or path.endswith("/"):
        return f"{path}index.html"
    return path if "." in path.rpartition("/")[2] else f"{path}.html"


def part_of(name: str, fallback: str | int, taken: Collection[str] = RESERVED) -> str:
    """Returns a name as part of an address: the name itself if it is plain, else `~` and a substitute.

    Parameters
    ----------
    name : str
    fallback : str or int
        A number or a digest that no other name has.
    taken : collection of str
        Names that are reserved in any case of letters, since some file systems ignore case; in small letters.

    Examples
    --------
    >>> part_of("rapid", 3), part_of("Männer 2024/25", 3), part_of("Events", 4)
    ('rapid', '~3', '~4')
    """
    if _PLAIN.fullmatch(name) and name.lower() not in taken:
        return name
    return f"~{fallback}"


def digest_part(name: str) -> str:
    """Returns twelve digits that represent a name in addresses."""
    return sha256(name.encode()).hexdigest()[:12]
