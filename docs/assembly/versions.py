"""The site of several versions: each in a folder of its name, a page that lists them, and a way to the newest."""

import re
from pathlib import Path

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
{head}<title>ratingcore: versions of the documents</title>
</head>
<body style="font-family: system-ui, sans-serif; margin: 2em">
<h1>Versions of these documents</h1>
<ul>
{links}
</ul>
</body>
</html>
"""


def write(site: Path) -> list[str]:
    """Write `versions.html`, and `index.html` that leads to the newest; returns the versions found, newest first."""
    found = sorted((path.parent.name for path in site.glob("*/index.html")), key=_numbers, reverse=True)
    links = "\n".join(f'<li><a href="{name}/index.html">{name}</a></li>' for name in found)
    newest = f'<meta http-equiv="refresh" content="0; url={found[0]}/index.html">\n'
    (site / "versions.html").write_text(PAGE.format(head="", links=links), encoding="utf-8")
    (site / "index.html").write_text(PAGE.format(head=newest, links=links), encoding="utf-8")
    return found


def _numbers(name: str) -> list[int]:
    return [int(number) for number in re.findall("[0-9]+", name)]
