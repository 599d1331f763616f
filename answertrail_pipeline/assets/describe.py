"""What each asset is, in the words that people see in the Dagster UI."""

from typing import Any, NamedTuple

import dagster as dg

from answertrail_pipeline.pipeline.lineage import DEPENDS_ON
from answertrail_pipeline.pipeline.stages import CODE_VERSIONS

OWNERS = ["team:answertrail"]


class Description(NamedTuple):
    """Group, kinds and words of one asset."""

    group: str
    kinds: set[str]
    words: str


DESCRIPTIONS = {
    "videos": Description(
        "corpus",
        {"file"},
        "An upload or a dated document, as its source offers it now. "
        "Its data version is the content hash of its captions and metadata.",
    ),
    "chunks": Description(
        "corpus", {"postgres"}, "30-second transcript windows: the unit that is searched and cited."
    ),
    "embeddings": Description(
        "corpus",
        {"postgres", "onnx"},
        "What makes a video's chunks searchable: a vector and the BM25 postings of each.",
    ),
    "term_stats": Description(
        "corpus", {"postgres"}, "Document frequencies and lengths that BM25 weighs terms with."
    ),
    "claims": Description(
        "gold", {"postgres", "ai"}, "Atomic assertions that a video makes, each tied to the chunks that state it."
    ),
    "threads": Description(
        "gold", {"postgres"}, "High-confidence claims of one topic over at least 3 videos and 90 days."
    ),
    "questions": Description(
        "gold", {"postgres", "ai"}, "Proposed gold questions. People decide; models only propose."
    ),
    "nuggets": Description(
        "gold", {"postgres", "ai"}, "Atomic facts that a correct answer must state, proposed for kept questions."
    ),
    "agent_runs": Description(
        "evaluation",
        {"postgres", "ai"},
        "The trail of one arm over every question: searches, chunks, citations, answer.",
    ),
    "assertions": Description("evaluation", {"postgres", "ai"}, "Atomic statements extracted from the answers."),
    "verdicts": Description(
        "evaluation",
        {"postgres", "ai"},
        "The judge's HIT or MISS: nugget x answer (recall), "
        "nugget x retrieved (ceiling), assertion x retrieved (grounded), assertion x cited.",
    ),
    "metrics": Description(
        "evaluation", {"postgres", "scipy"}, "Scores of one run on the frozen gold, with intervals over questions."
    ),
    "calibration": Description(
        "scores", {"postgres"}, "Agreement of the judge with people on blind-labelled pairs."
    ),
    "pools": Description(
        "scores",
        {"postgres", "ai"},
        "Careers only: the truth that a declared set of runs makes over the frozen base (FactNet). "
        "The judge is asked about new pairs of events only.",
    ),
    "scoreboard": Description(
        "scores",
        {"postgres", "scipy"},
        "All arms side by side: pooled numbers with counts, intervals, paired differences and provenance.",
    ),
    "series": Description(
        "scores",
        {"postgres", "scipy"},
        "What each arm scored in each re-evaluation, over the corpus cut at the gold's date and over all "
        "of it, each held against the one before.",
    ),
    "report": Description("scores", {"html"}, "The scoreboard for people: HTML, Markdown, CSV, JSON."),
}


def spec(
    name: str,
    *,
    automation: dg.AutomationCondition[Any] | None = None,
    skippable: bool = False,
    partitions_def: dg.PartitionsDefinition | None = None,
) -> dg.AssetSpec:
    """Return the specification of an asset with its description, group, kinds, owners and code version."""
    described = DESCRIPTIONS[name]
    return dg.AssetSpec(
        name,
        deps=list(DEPENDS_ON[name]),
        description=described.words,
        group_name=described.group,
        kinds=described.kinds,
        owners=OWNERS,
        code_version=CODE_VERSIONS[name],
        automation_condition=automation,
        skippable=skippable,
        partitions_def=partitions_def,
    )
