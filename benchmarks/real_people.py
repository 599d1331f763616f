"""The strategies of the PolitNuggets demonstration over real people who have evidence and a reference text.

    python benchmarks/real_people.py [--keep FOLDER] [--retriever bm25|hybrid]

Reads ../shared/data/politnuggets and runs on rules alone. Prints the main table, the truth beside the frozen base,
and how often the rule-based judge agrees with reference_coverage.jsonl. Others' texts stay in its folder.
"""

import argparse
import csv
import json
import resource
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from answertrail_pipeline.gold.biographies.people import read_people
from answertrail_pipeline.judging.events import EventJudge
from answertrail_pipeline.judging.judges import configured_judge
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.pipeline.politnuggets import run_politnuggets
from answertrail_pipeline.pipeline.project import Project, open_project
from answertrail_pipeline.reporting.biography_tables import MAIN, TRUTHS, main_rows, truth_rows
from answertrail_pipeline.store.shipped import shipped

DATA = Path(__file__).resolve().parents[2] / "shared/data/politnuggets"
CHANNEL = "real"


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def write_project(root: Path, retriever: str) -> int:
    """Write configuration, people and documents; return how many people there are."""
    documents = lines("documents.jsonl")
    evidence = [each for each in documents if each["kind"] == "evidence"]
    references = {each["person_id"]: each["text"] for each in documents if each["kind"] == "reference"}
    with_both = {each["person_id"] for each in evidence} & references.keys()
    people = [
        {**person, "reference": references[person["person_id"]]}
        for person in lines("people.jsonl")
        if person["person_id"] in with_both
    ]
    (root / "people.jsonl").write_text("".join(json.dumps(each) + "\n" for each in people), "utf-8")
    (root / "documents").mkdir(exist_ok=True)
    with (root / "documents.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "title", "published_at", "language", "url", "file"])
        for number, each in enumerate(evidence):
            name = f"documents/{number:03d}.txt"
            (root / name).write_text(f"{each['title']}\n\n{each['text']}", "utf-8")
            day = str(each["published_at"] or "2024-01-01")[:10]
            writer.writerow([f"d{number:03d}", each["title"], day, each["language"], each["url"], name])
    demo = (shipped("examples/politnuggets") / "answertrail.toml").read_text("utf-8")
    made = demo.replace("[channels.sanrei]", f"[channels.{CHANNEL}]").replace('"hybrid"', f'"{retriever}"')
    if retriever == "bm25":
        made = made.replace('language = "mul"', 'language = "en"')
    (root / "answertrail.toml").write_text(made, "utf-8")
    return len(people)


def coverage_agreement(project: Project, root: Path) -> Counter[tuple[str, str]]:
    """Count the judge's word on coverage by the reader's label."""
    labelled = lines("reference_coverage.jsonl")
    references = {each["doc_id"]: each["text"] for each in lines("documents.jsonl")}
    wanted = {row["person_id"]: references[row["doc_id"]] for row in labelled}
    chosen = [{**each, "reference": wanted[each["person_id"]]} for each in lines("people.jsonl")
              if each["person_id"] in wanted]  # fmt: skip
    (root / "labelled.jsonl").write_text("".join(json.dumps(each) + "\n" for each in chosen), "utf-8")
    people = {person.person_id: person for person in read_people(root / "labelled.jsonl")}
    judge = configured_judge(project.settings)
    asker = EventJudge(project.database, project.door, judge, Account(CHANNEL, "verdicts", "coverage"))
    counts: Counter[tuple[str, str]] = Counter()
    for row in labelled:
        person = people[row["person_id"]]
        event = next(each.event for each in person.base if each.event_id == row["event_id"])
        counts[row["event_covered"], str(project.run(asker.coverage(person, event))[0])] += 1
    return counts


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    for row in (head, *rows):
        print(" | ".join(row))
    print()


def main(root: Path, retriever: str) -> None:
    count = write_project(root, retriever)
    began = time.monotonic()
    with open_project(root / "answertrail.toml") as project:
        report = project.run(run_politnuggets(project, CHANNEL, root / "people.jsonl", out=root / "report"))
        took = time.monotonic() - began
        board = report.board
        print(f"{count} people; errors: {report.errors or 'none'}")
        if board is not None:
            table(MAIN, main_rows(board))
            table(TRUTHS, truth_rows(board))
        print("coverage, (reader's label, judge):", dict(coverage_agreement(project, root)))
    user = (
        resource.getrusage(resource.RUSAGE_SELF).ru_utime + resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    )
    print(f"{took:.0f} s, {user:.0f} s of CPU in user mode")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", type=Path, help="work in this folder and leave it")
    parser.add_argument("--retriever", default="hybrid", choices=["bm25", "hybrid"])
    given = parser.parse_args()
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
        main(given.keep, given.retriever)
    else:
        with tempfile.TemporaryDirectory() as folder:
            main(Path(folder), given.retriever)
