"""Without guests the rest works, and a question for a store names what is missing."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

COMMANDS = {
    "ratingcore_sql_tables": "catch-up", "ratingcore_backdating": "backdate", "ratingcore_demo": "demo",
    "ratingcore_performance": "performance", "ratingcore_connect": "connect", "ratingcore_season": "season",
    "ratingcore_calendar": "calendar", "ratingcore_against": "against",
    "ratingcore_rivals": "versus",
}  # fmt: skip
THERE = {guest for guest in COMMANDS if (spec := find_spec(guest)) is not None and spec.origin}
"""Of a guest that was left out, a folder of data may still be installed."""

WITHOUT = """
import importlib.metadata as metadata, sys
guests = tuple(sys.argv[1:])
every = metadata.entry_points
metadata.entry_points = lambda **asked: [point for point in every(**asked) if not point.value.startswith(guests)]
sys.modules |= dict.fromkeys(guests)  # importing one is an error
import ratingcore as rc
with rc.open(":memory:") as engine:
    engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
    print(engine.rating_list("p", "elo").player)
try:
    rc.open("postgresql://ann:secret@db/league")
except rc.RatingCoreError as error:
    print(error, "|", error.hint)
from ratingcore.cli.main import cli
cli(["--help"], prog_name="ratingcore")
"""


@pytest.mark.parametrize("guests", [("ratingcore_postgres",), tuple(COMMANDS)], ids=["store", "commands"])
def test_without_guests_the_rest_works(guests: tuple[str, ...]) -> None:
    ran = subprocess.run([sys.executable, "-c", WITHOUT, *guests], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("('ann', 'bo')\n")
    missing = "no store for postgresql:// is installed: installed are none | the plugin ratingcore_postgres offers it: "
    assert (missing + "pip install 'ratingcore[postgres]'" in ran.stdout) == ("ratingcore_postgres" in guests)
    assert "secret" not in ran.stdout
    listed = {guest for guest, command in COMMANDS.items() if f"  {command} " in ran.stdout}
    assert listed == THERE - {*guests}
