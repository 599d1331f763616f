"""Measures the rule-based judge on real pairs and prints the table of docs/judging.md.

python -m benchmarks.judge_rules ../shared/data/answertrail
"""

import sys
from pathlib import Path

from answertrail_pipeline_tests.judging.real_pairs import halves, measure, real_pairs

KINDS = ("own chunks", "other video", "number changed", "denied", "name swapped")


def main(folder: Path) -> None:
    pairs = real_pairs(folder)
    odd, even = halves(pairs)
    print("| pairs | accepts own chunks | " + " | ".join(f"rejects {kind}" for kind in KINDS[1:]) + " | kappa |")
    print("|---|---|---|---|---|---|---|")
    for with_question in (True, False):
        for name, part in (("all", pairs), ("odd", odd), ("even", even)):
            made = measure(part, with_question=with_question)
            cells = [f"{made.right[kind][0]}/{made.right[kind][1]} = {made.share(kind):.2f}" for kind in KINDS]
            asked = "with question" if with_question else "without"
            print(f"| {name}, {asked} | {' | '.join(cells)} | {made.kappa:.2f} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
