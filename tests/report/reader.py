"""An HTML page as its reader sees it: the tags, and the text outside scripts."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """A parsed page."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text, self.scripts, self._script = "", [""], False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._script = tag == "script"

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._script = False
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self._script:
            self.scripts[-1] += data
        else:
            self.text += data

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag]
