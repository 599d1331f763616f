"""`answertrail init`: writes a commented configuration for a folder of captions."""

import re
from pathlib import Path
from typing import Annotated

import typer

from answertrail_pipeline.cli.main import app
from answertrail_pipeline.cli.terminal import out, print_json
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.settings import CONFIG_NAME

CAPTIONS = {".vtt", ".srt", ".sbv", ".json3", ".srv1", ".srv2", ".srv3", ".ttml", ".dfxp", ".xml"}
DOCUMENTS = {".md", ".html", ".htm", ".txt"}


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(help="A folder of captions or documents, or a CSV that lists them.")],
    channel: Annotated[str, typer.Option(help="A short name; from the folder's name where not given.")] = "",
    corpus: Annotated[str, typer.Option(help="Of a videos.jsonl, only the videos of this corpus.")] = "",
    language: Annotated[str, typer.Option(help="Language of the captions, such as en or fr.")] = "en",
    preset: Annotated[str, typer.Option(help="Models and arm of a shipped preset; `answertrail presets`.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing configuration.")] = False,
) -> None:
    """Write a commented answertrail.toml for a folder of captions."""
    target = Path.cwd() / CONFIG_NAME
    if target.exists() and not force:
        raise UserError(f"{target} exists already.", "Edit it, or overwrite it with --force.")
    kind = _source_kind(folder)
    name = channel or _slug(corpus or folder.resolve().stem)
    source = f'kind = "{kind}", path = {_toml_string(str(folder))}'
    if corpus:
        source += f", corpus = {_toml_string(corpus)}"
    target.write_text(_configuration(name, source, language, preset), "utf-8")
    out.print(f"Wrote {target} for the channel [bold]{name}[/] ({kind}).")
    out.print(
        "Next: `answertrail plan` shows what would be done and what it would cost; `answertrail run` does it."
    )


@app.command()
def presets(
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON, for programs.")] = False,
) -> None:
    """List the shipped presets: models, arm and repetitions that `init --preset NAME` writes."""
    from answertrail_pipeline.models.presets import PRESETS, preset_toml

    if as_json:
        print_json([{"name": name, "description": PRESETS[name].description} for name in PRESETS])
        return
    out.print("\n".join(preset_toml(name) for name in PRESETS), markup=False, highlight=False)


def _configuration(channel: str, source: str, language: str, preset: str) -> str:
    from answertrail_pipeline.models.presets import preset_toml

    head = _HEAD.format(channel=channel, source=source, language=language)
    if not preset:
        return f"{_TITLE}\n{head}\n{_MODELS_AND_ARMS}\n{_TAIL}"
    keys, tables = preset_toml(preset).split("\n\n", 1)  # keys of the file itself must come before any table
    return f"{_TITLE}\n{keys}\n\n{head}\n{tables}\n{_TAIL}"


def _source_kind(folder: Path) -> str:
    if folder.is_file() and folder.suffix == ".csv":
        return "csv"
    if not folder.is_dir():
        raise UserError(f"{folder} is no folder.", "Name a folder of captions or documents, or a CSV.")
    if (folder / "videos.jsonl").is_file():
        return "jsonl"
    endings = {path.suffix.lower() for path in folder.rglob("*") if path.is_file()}
    if endings & CAPTIONS or any(folder.rglob("*.info.json")):
        return "folder"
    if endings & DOCUMENTS:
        return "documents"
    found = ", ".join(sorted(endings)) or "nothing"
    raise UserError(
        f"No captions in {folder} (found {found}).",
        "Name a folder with .vtt, .srt, .json3 ... files, a videos.jsonl, or dated .md, .html, .txt documents.",
    )


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60] or "channel"


def _toml_string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


_TITLE = "# AnswerTrail: what is measured, and with what. Every key is optional but the channel's source.\n"
_HEAD = """\
[channels.{channel}]
source = {{{source}}}
language = "{language}"
# window_seconds = 30           # length of a chunk
"""
_MODELS_AND_ARMS = """\
# Who does each piece of model work. "baseline" runs rules: no key, no network, the floor for every model.
# Any LiteLLM name runs the prompts; its key comes from the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY, ...).
# [models]
# extract = {model = "anthropic/claude-sonnet-5"}
# compose = {model = "anthropic/claude-sonnet-5"}
# nuggets = {model = "anthropic/claude-sonnet-5"}
# agent   = {model = "openai/gpt-5.4", reasoning_effort = "low"}
# judge   = {model = "gemini/gemini-3-pro"}   # of another family than the agent

# The configurations under test.
[arms.single-shot]
agent = "single_shot"
retriever = {kind = "dense", k = 10}

[arms.react-dense]
agent = "react"
retriever = {kind = "dense", k = 10}

[arms.react-trajectory]
agent = "react"
retriever = {kind = "trajectory", k = 40}
"""
_TAIL = """\
# YOUR agent: an HTTP endpoint, "python:module:function" or "command:...". See docs/agents.md.
# [arms.mine]
# agent = "external"
# endpoint = "http://127.0.0.1:8000/answer"
# family = "openai"

# Hard limits in US dollars for paid models; without them paid stages ask for --yes.
# [budget]
# run_usd = 20
# day_usd = 50

# Ask the arms again as the channel grows: `answertrail reevaluate`, or the schedule in the Dagster UI.
# [schedule]
# cron = "0 6 * * 1"
# arms = ["react-dense"]   # all where absent
# margin = 0.03            # the fall in recall that the gate bears
# Failed runs and gates are told to the webhook in ANSWERTRAIL_WEBHOOK (Slack's JSON).
"""
