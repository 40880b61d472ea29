"""Every number to hold, as ratios of one run: `python -m bench [--quick] [part ...]`."""

import argparse
import sys

from bench import (
    adaptive_k,
    appending,
    berkin,
    bridge_bayes,
    chess_bayes,
    comparing,
    elo_periods,
    folding,
    reading,
    simulating,
    starting,
    sweeping,
    time_travel,
)
from bench.measure import Results

PARTS = {
    "fold": folding.run,
    "adaptive-k": adaptive_k.run,
    "read": reading.run,
    "append": appending.run,
    "start": starting.run,
    "time-travel": time_travel.run,
    "compare": comparing.run,
    "sweep": sweeping.run,
    "simulate": simulating.run,
    "berkin": berkin.run,
    "elo-periods": elo_periods.run,
    "chess-bayes": chess_bayes.run,
    "bridge-bayes": bridge_bayes.run,
}


def main() -> int:
    """Run the parts that were asked for; exit code 1 if a bound was missed."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"some of {', '.join(PARTS)}; all if none")
    parser.add_argument("--quick", action="store_true", help="a tenth of the games: fixed costs weigh tenfold")
    asked = parser.parse_args()
    results = Results()
    for name in asked.parts or PARTS:
        PARTS[name](results, 500_000 if asked.quick else 5_000_000)
    print(f"\n{len(results.lines)} figures, {results.missed} missed")
    return 1 if results.missed else 0


if __name__ == "__main__":
    sys.exit(main())
