"""Runs the notebooks of `docs/examples`; `python -m tests.meta.notebooks` writes what their cells print."""

import ast
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "docs" / "examples"


def notebooks() -> list[Path]:
    """All notebooks, in order of their names."""
    return sorted(FOLDER.glob("*.ipynb"))


def cells(path: Path) -> list[dict[str, Any]]:
    """The cells of code of a notebook."""
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


def printed(cell: dict[str, Any]) -> str:
    """The text that a cell shows in the file."""
    texts = (output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell["outputs"])
    return "".join("".join(text) for text in texts)


def run(path: Path) -> Iterator[str]:
    """What each cell of code prints, run in order in the folder of the notebook; a last expression is printed too."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells(path):
        out = StringIO()
        with _in_folder(), redirect_stdout(out):
            body = ast.parse("".join(cell["source"])).body
            last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
            exec(compile(ast.Module(body, []), path.name, "exec"), names)  # the notebooks are ours
            shown = eval(compile(ast.Expression(last.value), path.name, "eval"), names) if last else None
            if shown is not None:
                print(shown)
        yield out.getvalue()


@contextmanager
def _in_folder() -> Iterator[None]:
    before = Path.cwd()
    os.chdir(FOLDER)
    try:
        yield
    finally:
        os.chdir(before)


def main() -> int:
    for path in notebooks():
        content = json.loads(path.read_text(encoding="utf-8"))
        code = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
        for number, (cell, text) in enumerate(zip(code, run(path), strict=True), 1):
            lines = text.splitlines(keepends=True)
            cell["execution_count"] = number
            cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": lines}] if lines else []
        path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
