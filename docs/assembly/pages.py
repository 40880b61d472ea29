"""The pages of the site: those of `docs` and of the plugins, with links between pages of the site."""

import re
import shutil
from pathlib import Path
from posixpath import normpath, relpath

from docs.assembly.parameters import with_parameters

REPOSITORY = "https://github.com/ratingcore/ratingcore"
BRANCH = f"{REPOSITORY}/blob/main"
RAW = "https://raw.githubusercontent.com/ratingcore/ratingcore/main"
LINK = re.compile(r"(?<=\]\()(?!https?:|mailto:)([^)#\s]*)(#[^)\s]*)?(?=\))")
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
LISTED = re.compile(r"^<!-- pages: ([\w/* ]+) -->$", re.MULTILINE)
DRAWN = re.compile(r'^<!-- picture: ([\w.]+) "([^"]+)" -->$', re.MULTILINE)
TAKEN = re.compile(r"^!\[([^]]+)\]\((?!https?:)[\w./]*pictures/(\w+)\.png\)$", re.MULTILINE)


def sources(root: Path) -> dict[str, str]:
    """The address on the site, without suffix, of every page of the repository, by its path there.

    Examples
    --------
    >>> found = sources(Path(__file__).parents[2])
    >>> found["plugins/methods/ratingcore_elo/README.md"], found["docs/house.md"]
    ('methods/elo', 'house')
    """
    docs = root / "docs"
    found = {
        path.relative_to(root).as_posix(): path.relative_to(docs).with_suffix("").as_posix()
        for path in sorted(docs.rglob("*.md"))
    }
    for path in sorted((root / "plugins").glob("*/ratingcore_*/*.md")):
        kind, package = path.parts[-3], path.parts[-2].removeprefix("ratingcore_")
        part = "" if path.stem == "README" else f"_{path.stem}"
        found[path.relative_to(root).as_posix()] = f"{kind}/{package}{part}"
    return found | {"gallery/README.md": "gallery", "CHANGELOG.md": "changelog"}


def collect(root: Path, source: Path) -> None:
    """Write every page, and the pictures of `docs/pictures`, into the folder that Sphinx reads."""
    shutil.copytree(root / "docs" / "pictures", source / "pictures")
    found = sources(root)
    dark = {path.stem.removesuffix("-dark") for path in (root / "docs" / "pictures").glob("*-dark.png")}
    for path, address in found.items():
        text = (root / path).read_text(encoding="utf-8")
        if address.startswith("methods/"):
            text = with_parameters(text, Path(path).parent.name)
        page = source / f"{address}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(_of_the_site(text, path, found, dark), encoding="utf-8")


def _of_the_site(text: str, path: str, found: dict[str, str], dark: set[str]) -> str:
    """A page with links as the site has them, formulas as MyST writes them, and its pictures."""
    here = Path(found[path]).parent.as_posix()

    def link(match: re.Match[str]) -> str:
        target, anchor = match[1], match[2] or ""
        if not target:
            return anchor
        place = normpath(f"{Path(path).parent.as_posix()}/{target}")
        if place in found:
            return relpath(f"{found[place]}.md", here) + anchor
        return f"{BRANCH}/{place}{anchor}"

    def image(name: str, alt: str, only: str = "") -> str:
        options = f":class: {only}\n" if only else ""
        return f"```{{image}} {relpath(f'pictures/{name}', here)}\n:alt: {alt}\n{options}```"

    def drawn(match: re.Match[str]) -> str:
        return image(f"{match[1]}.svg", match[2])

    def taken(match: re.Match[str]) -> str:
        alt, name = match.groups()
        if name not in dark:
            return image(f"{name}.png", alt)
        return "\n\n".join((image(f"{name}.png", alt, "only-light"), image(f"{name}-dark.png", alt, "only-dark")))

    def listed(match: re.Match[str]) -> str:
        return "```{toctree}\n:glob:\n:hidden:\n\n" + match[1].replace(" ", "\n") + "\n```"

    parts = FENCE.split(text)
    parts[::2] = [LISTED.sub(listed, DRAWN.sub(drawn, LINK.sub(link, TAKEN.sub(taken, part)))) for part in parts[::2]]
    return re.sub(r"^```math$", "```{math}", "".join(parts), flags=re.MULTILINE)
