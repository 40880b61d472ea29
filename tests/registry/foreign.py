"""A stranger's plugin as files: written outside the repository, installed into an environment of its own."""

import site
import subprocess
import sys
import venv
from pathlib import Path

PYPROJECT = """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "league-tally"
version = "2.1"

[project.entry-points.ratingcore]
tally = "league_tally"
"""

BACKEND = '''\
"""The least that pip can build from, so that the test asks no index for anything."""

import tomllib
import zipfile
from pathlib import Path


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
    name, version = project["name"].replace("-", "_"), project["version"]
    points = "".join(
        f"[{group}]\\n" + "".join(f"{key} = {value}\\n" for key, value in entries.items())
        for group, entries in project["entry-points"].items()
    )
    info = f"{name}-{version}.dist-info"
    files = {path.name: path.read_text() for path in Path(".").glob("league_*.py")}
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\\nName: {project['name']}\\nVersion: {version}\\n"
    files[f"{info}/WHEEL"] = "Wheel-Version: 1.0\\nGenerator: backend\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
    files[f"{info}/entry_points.txt"] = points
    files[f"{info}/RECORD"] = "".join(f"{file},,\\n" for file in [*files, f"{info}/RECORD"])
    wheel = f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / wheel, "w") as archive:
        for file, content in files.items():
            archive.writestr(file, content)
    return wheel
'''

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


def package(folder: Path) -> Path:
    """Write the stranger's project into a folder."""
    folder.mkdir()
    files = {"pyproject.toml": PYPROJECT, "backend.py": BACKEND, "league_tally.py": MODULE}
    for name, content in files.items():
        (folder / name).write_text(content)
    return folder


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
