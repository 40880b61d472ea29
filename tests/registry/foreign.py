"""A stranger's plugin as files, written outside the repository, and an environment to install one into."""

import site
import subprocess
import sys
import venv
from pathlib import Path

MODULE = '''\
"""Points as a table of the league has them: so many for a win, half of them for a draw."""

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import Cadence, Column, Forecast, Games, Method, Rated, State, hookimpl
from ratingcore.validators import positive


@frozen
class Tally(Method):
    """Adds up points; expects nothing but even games."""

    name = "tally"
    cadence = Cadence.CONTINUOUS
    win: float = field(default=2.0, validator=positive)

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 0.0, unit="points", digits=1),)

    def rate(self, state: State, games: Games) -> Rated:
        rating = state.copy("rating")
        change = self.win * games.score, self.win * (1.0 - games.score)
        np.add.at(rating, np.ravel(np.column_stack((games.a, games.b))), np.ravel(np.column_stack(change)))
        return Rated(state.replace(rating=rating), np.full(len(games), 0.5), change)

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(np.full(len(games), 0.5))


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [Tally]
'''

CLASHING = MODULE.replace('"tally"', '"elo"')
BROKEN = "import a_module_that_nobody_has\n"


def environment(folder: Path) -> Path:
    """An environment beside this one, which sees what is installed here; its interpreter."""
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    shown = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    )
    here = [path for path in site.getsitepackages() if Path(path).is_dir()]
    lines = [f"import site; site.addsitedir({path!r})" for path in here]
    (Path(shown.stdout.strip()) / "here.pth").write_text("\n".join(lines) + "\n")
    return python


def announced(folder: Path, name: str, content: str) -> None:
    """Put a module and what announces it straight into a folder of modules."""
    folder.mkdir(exist_ok=True)
    (folder / f"league_{name}.py").write_text(content)
    info = folder / f"league_{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: league-{name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[ratingcore]\n{name} = league_{name}\n")
