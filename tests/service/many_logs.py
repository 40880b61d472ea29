"""Many logs in one process: how much memory they take, and how much an import into one slows another.

By hand: `python -m tests.service.many_logs 200`
"""

import json
import sys
import tempfile
import threading
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError

import numpy as np
from ratingcore_service.access import open_tokens
from ratingcore_service.routing import Scope
from ratingcore_service.settings import Settings

import ratingcore as rc
from tests.service.serving import Server

GAMES, ROWS, ASKED = 500, 5_000, 200


def league(path: Path, games: int) -> None:
    """A log of a club."""
    rng = np.random.default_rng(len(path.name))
    with rc.open(path) as engine:
        pairs = [rng.choice(40, 2, replace=False).tolist() for _ in range(games)]
        days = (f"2024-{1 + n * 12 // games:02d}-{1 + n % 28:02d}" for n in range(games))
        played = zip(days, pairs, strict=True)
        engine.record(*(
            rc.GamePlayed(pool="rapid", played=day, a=f"p{a}", b=f"p{b}", score=float(a < b)) for day, (a, b) in played
        ))  # fmt: skip


def main(logs: int) -> None:
    """Prints both."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(logs):
            league(folder / f"club{number}.db", GAMES)
        with rc.open(folder / "club0.db") as engine:
            token = open_tokens(engine, Settings()).add("hall", Scope.OFFICER)
        server = Server(str(folder), folder, "--limit", "rate=100000", "--limit", "burst=100000",
                        "--limit", "cpu_rate=100", "--limit", "cpu_burst=1000")  # fmt: skip
        server.start()
        address = server.address

        def read(number: int, query: str = "") -> float:
            begun = time.perf_counter()
            urllib.request.urlopen(f"{address}/club{number}/api/v1/pools/rapid/list{query}").read()
            return 1000 * (time.perf_counter() - begun)

        for number in range(logs):
            read(number)
        status = Path(f"/proc/{server.pid}/status").read_text()
        resident = next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))
        print(f"{logs} logs of {GAMES} games: {resident:.0f} MiB")

        def p99() -> float:
            return float(np.quantile([read(1, f"?top={1 + n % 90}") for n in range(ASKED)], 0.99))

        quiet = p99()
        text = "played,a,b,score\n" + "".join(
            f"2024-05-{1 + n % 28:02d},x{n % 700},y{n % 900},1\n" for n in range(ROWS)
        )
        over = threading.Event()

        def bring() -> None:
            headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/octet-stream"}
            uploads = f"{address}/club0/api/v1/uploads"
            sent = urllib.request.Request(f"{uploads}?name=a.csv&pool=rapid", text.encode(), headers)
            made = json.load(urllib.request.urlopen(sent))
            while made["state"] == "reading":
                time.sleep(0.2)
                made = json.load(
                    urllib.request.urlopen(urllib.request.Request(f"{uploads}/{made['id']}", None, headers))
                )
            accept = urllib.request.Request(
                f"{uploads}/{made['id']}/accept", b"", {**headers, "If-Match": made["head"]}
            )
            with suppress(HTTPError):  # after ten seconds it says that it goes on
                urllib.request.urlopen(accept)

        def brought() -> None:
            try:
                bring()
            finally:
                over.set()

        threading.Thread(target=brought, daemon=True).start()
        taken = []
        while not over.is_set():
            taken.append(read(1, f"?top={1 + len(taken) % 90}"))
        busy = float(np.quantile(taken, 0.99))
        print(f"p99 of a list: {quiet:.1f} ms, while another log imports {ROWS:,} rows {busy:.1f} ms ({len(taken)})")
        server.stop()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
