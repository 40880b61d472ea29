"""Run the benchmarks and compare each figure with its bound: `python -m bench [--quick] [part ...]`."""

import argparse
import sys

from bench import (
    adaptive_k,
    answers,
    append,
    berkin,
    bradley_terry,
    bridge_bayes,
    caches,
    chess_bayes,
    columnar,
    columns,
    comparison,
    contests,
    deviations,
    elo_periods,
    first_list,
    fold,
    glicko,
    growth,
    many_players,
    peers,
    pools,
    postgres,
    predictions,
    readers,
    rule_books,
    sentences,
    service,
    service_corrections,
    service_load,
    service_reading,
    simulation,
    startup,
    sweep,
    threads,
    time_travel,
    trueskill,
    uploads,
    weng_lin,
    whr,
)
from bench.measure import Results

PARTS = {
    "fold": fold.run,
    "adaptive-k": adaptive_k.run,
    "read": columns.run,
    "caches": caches.run,
    "append": append.run,
    "import-columns": columnar.run,
    "readers": readers.run,
    "threads": threads.run,
    "postgres": postgres.run,
    "many-players": many_players.run,
    "start": startup.run,
    "answers": answers.run,
    "first-list": first_list.run,
    "time-travel": time_travel.run,
    "rule-books": rule_books.run,
    "growth": growth.run,
    "compare": comparison.run,
    "sentences": sentences.run,
    "sweep": sweep.run,
    "predict": predictions.run,
    "pools": pools.run,
    "service": service.run,
    "service-corrections": service_corrections.run,
    "service-reading": service_reading.run,
    "service-load": service_load.run,
    "service-mixed": service_load.run_mixed,
    "uploads": uploads.run,
    "simulate": simulation.run,
    "berkin": berkin.run,
    "elo-periods": elo_periods.run,
    "glicko": glicko.run,
    "chess-bayes": chess_bayes.run,
    "bridge-bayes": bridge_bayes.run,
    "weng-lin": weng_lin.run,
    "trueskill": trueskill.run,
    "contests": contests.run,
    "whr": whr.run,
    "bradley-terry": bradley_terry.run,
    "coverage": deviations.run,
    "peers": peers.run,
}


def main() -> int:
    """Run the chosen parts; exit code 1 if a bound was missed."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"parts to run, of {', '.join(PARTS)}; all by default")
    parser.add_argument(
        "--quick", action="store_true", help="a tenth of the games; fixed costs then weigh ten times as much"
    )
    chosen = parser.parse_args()
    results = Results()
    for name in chosen.parts or PARTS:
        PARTS[name](results, 500_000 if chosen.quick else 5_000_000)
    print(f"\n{len(results.lines)} figures, {results.missed} missed")
    return 1 if results.missed else 0


if __name__ == "__main__":
    sys.exit(main())
