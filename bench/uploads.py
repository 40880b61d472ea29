"""The CPU time of uploading and recording a file at the desk, against that of one import."""

import gc
import random
import shutil
import tempfile
import time
from contextlib import chdir
from pathlib import Path

from ratingcore_service.upload_process import FILE, WESTERN, Order, UploadQuery, accepted, tried

import ratingcore as rc
from bench.measure import Results
from ratingcore.gc_pause import uncollected
from ratingcore.importer.tables import FieldMap

ROWS, PLAYERS, TURNS = 10_000, 500, 9


def run(results: Results, games: int) -> None:
    """Print the CPU of an upload, without the start of its processes: of a plain file, and of one to be recognised."""
    with tempfile.TemporaryDirectory(prefix="ratingcore-bench-") as place, chdir(place), uncollected():
        Path("before.csv").write_text(_rows(plain=True, seed=1))
        with rc.open("before.db") as engine:
            engine.import_file("before.csv", "other")
            engine.rating_list("other")
        for what, plain, most in (("clean", True, 2.2), ("encoding and dates recognised", False, 2.8)):
            Path(FILE).write_bytes(_rows(plain=plain, seed=2).encode(WESTERN))
            ratios = sorted(_ratio(plain) for _ in range(1 + TURNS))  # the first one includes compiling and loading
            results.row(f"upload of {ROWS:,} rows, {what}", ratios[TURNS // 2], "x import", most)


def _rows(*, plain: bool, seed: int) -> str:
    """Returns results as CSV; unless `plain`, with days before months and with names that are not ASCII."""
    draw, mark, rows = random.Random(seed), "" if plain else "é", ["played,a,b,score"]
    for number in range(ROWS):
        a, b = draw.sample(range(PLAYERS), 2)
        month, day = 1 + number * 12 // ROWS, 1 + number % 28
        played = f"2025-{month:02}-{day:02}" if plain else f"{day:02}.{month:02}.2025"
        rows.append(f"{played},player {mark}{a},player {mark}{b},{draw.choice(['1-0', '0-1', '1/2'])}")
    return "\n".join(rows)


def _ratio(plain: bool) -> float:
    """Returns the CPU time of an upload over that of an import with the encoding and date format given."""
    for name in ("one.db", "two.db"):
        for old in Path().glob(f"{name}*"):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        shutil.copy("before.db", name)
        with rc.open(name) as engine:
            engine.rating_list("other")
    gc.collect()
    began = time.process_time()
    with rc.open("one.db") as engine:
        engine.import_file(
            FILE, "rapid", None if plain else FieldMap(date="%d.%m.%Y"), encoding=None if plain else WESTERN
        )
    once = time.process_time() - began
    query, began = UploadQuery(name="results.csv", pool="rapid"), time.process_time()
    made = tried(Order(address="two.db", query=query, rows=ROWS))
    made = accepted(Order(address="two.db", query=query, rows=ROWS, tried=made))
    assert (made.state, made.accepted) == ("accepted", ROWS), made
    return (time.process_time() - began) / once
