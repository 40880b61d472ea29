"""`python -m tests.golden FILE...`: does what is installed give the published numbers?

Prints a line a method and every number that differs. Exit code 0 if none does, 1 if one does, 2 if a file or
a case is malformed. Without a file it runs `fixtures/golden/vectors.json`.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from tests.golden.cases import MalformedError, read_cases
from tests.golden.running import run

VECTORS = Path(__file__).parents[2] / "fixtures" / "golden" / "vectors.json"


def main(arguments: Sequence[str]) -> int:
    """Run the files and report; the exit code."""
    return max([_run_file(path) for path in [Path(argument) for argument in arguments] or [VECTORS]])


def _run_file(path: Path) -> int:
    try:
        cases = read_cases(path)
    except MalformedError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    outcomes = run(cases)
    print(f"{path}: {len(cases)} cases")
    for outcome in outcomes:
        print(f"  {outcome}")
        for failure in outcome.failures:
            print(f"    {failure}")
    for message in (message for outcome in outcomes for message in outcome.malformed):
        print(f"error: {message}", file=sys.stderr)
    if any(outcome.malformed for outcome in outcomes):
        return 2
    return 1 if any(outcome.failed for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
