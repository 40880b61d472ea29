"""`python -m docs` builds the site of the documentation from the pages of this folder and those of the plugins."""

import argparse
import shutil
import sys
from pathlib import Path

from docs.assembly import pages, pictures, reference, versions
from ratingcore import __version__

ROOT = Path(__file__).parents[1]
OUT = ROOT / "build" / "docs"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m docs", description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT, help="folder of the site (default: build/docs)")
    parser.add_argument("--picture", action="store_true", help="only draw the picture of the README again")
    asked = parser.parse_args(arguments)
    if asked.picture:
        pictures.write_readme(ROOT)
        return 0
    from sphinx.cmd.build import build_main  # the picture needs no Sphinx

    source = asked.out / "source"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    pages.collect(ROOT, source)
    reference.write(source)
    pictures.write(ROOT, source / "pictures")
    conf = str(ROOT / "docs" / "assembly")
    options = ["-q", "-W", "--keep-going", "-j", "2", "-c", conf, "-d", str(asked.out / "doctrees")]
    failed = build_main([*options, str(source), str(asked.out / "html" / __version__)])
    if not failed:
        versions.write(asked.out / "html")
        print(asked.out / "html" / "index.html")
    return failed


if __name__ == "__main__":
    sys.exit(main())
