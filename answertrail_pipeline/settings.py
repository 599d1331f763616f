"""Typed settings: the file `answertrail.toml` plus the environment. Secrets come only from the environment."""

import difflib
import os
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from answertrail_pipeline.errors import UserError

CONFIG_NAME = "answertrail.toml"
Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=60)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FolderSource(_Strict):
    """A folder of caption files with their metadata, as yt-dlp writes them."""

    kind: Literal["folder"] = "folder"
    path: Path


class JsonlSource(_Strict):
    """A `videos.jsonl` and cue JSONL files (plain or gzip)."""

    kind: Literal["jsonl"] = "jsonl"
    path: Path
    corpus: str | None = None
    """Keep only the videos whose field `corpus` says this."""


class CsvSource(_Strict):
    """A CSV of videos (video_id, title, published_at, captions[, language, url]) and caption paths."""

    kind: Literal["csv"] = "csv"
    path: Path


class FeedSource(_Strict):
    """A live YouTube channel: its public feed and caption tracks (extra `youtube`)."""

    kind: Literal["feed"] = "feed"
    channel_id: Annotated[str, Field(pattern=r"^UC[A-Za-z0-9_-]{22}$")]
    path: Path = Path("youtube")
    """Folder where what was fetched is kept, in a folder by channel; it is read like any caption folder."""
    max_new_videos: int = Field(25, gt=0)
    """How many videos one listing fetches; the others wait for the next."""


class DocumentsSource(_Strict):
    """A folder of dated documents: Markdown, HTML, plain text, or a CSV that lists them."""

    kind: Literal["documents"] = "documents"
    path: Path


Source = Annotated[
    FolderSource | JsonlSource | CsvSource | FeedSource | DocumentsSource, Field(discriminator="kind")
]


class ChannelSettings(_Strict):
    """One creator's library or one collection of documents."""

    source: Source
    title: str = ""
    language: str = "en"
    window_seconds: int = Field(30, gt=0, le=600)
    long_cue_seconds: float = Field(15, gt=0)
    """A cue that lasts longer and crosses the border of a window is split (docs/corpus.md)."""
    max_lost_share: float = Field(0.1, ge=0, le=1)
    """A caption file that lost a larger share of its cues is not used."""
    document_window_words: int = Field(120, gt=0)
    document_window_characters: int = Field(400, gt=0)
    """Window of a document in a script that writes no spaces."""
    max_unreadable_share: float = Field(0.05, ge=0, le=1)
    """Above this share of unreadable files the check `captions_readable` fails."""
    max_listing_loss: float = Field(0.10, ge=0, le=1)
    """A listing that is smaller by more than this share retires nothing."""


def _without_credentials(url: str) -> str:
    if "@" in url.partition("://")[2].partition("/")[0]:
        raise ValueError("keys and passwords come only from the environment, never from a URL of this file")
    return url


ApiBase = Annotated[str, AfterValidator(_without_credentials)]


class ModelRole(_Strict):
    """A model in one role. Every field is part of the fingerprint of what the model makes."""

    model: str = "baseline"
    """`baseline` runs the task's rules; anything else is a LiteLLM model name."""
    family: str | None = None
    """Declared family, where the name does not tell (a proxy's alias, a fine-tune)."""
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high"] | None = None
    temperature: float | None = Field(None, ge=0, le=2)
    max_output_tokens: int = Field(4000, gt=0)
    api_base: ApiBase | None = None
    enforce_schema: bool | None = None
    """Whether the provider is asked to enforce the reply's schema; as LiteLLM's model list says where absent."""
    timeout_seconds: float = Field(120, gt=0)

    @property
    def is_baseline(self) -> bool:
        """Whether this role runs rules and no model."""
        return self.model == "baseline"


class EmbedRole(_Strict):
    """The embedding model: a packaged one by its short name, or any LiteLLM embedding model."""

    model: str = "minilm-int8"
    api_base: ApiBase | None = None
    dimensions: int | None = Field(None, gt=0)


class PriceSettings(_Strict):
    """A model's price in US dollars per million tokens, for models that LiteLLM's bundled list does not know."""

    input_per_million: Decimal = Field(ge=0)
    output_per_million: Decimal = Field(Decimal(0), ge=0)
    cached_input_per_million: Decimal | None = Field(None, ge=0)


class ModelsSettings(_Strict):
    """Who does each piece of model work."""

    extract: ModelRole = ModelRole()
    select: ModelRole = ModelRole()
    compose: ModelRole = ModelRole()
    nuggets: ModelRole = ModelRole()
    assertions: ModelRole = ModelRole()
    judge: ModelRole = ModelRole()
    agent: ModelRole = ModelRole()
    embed: EmbedRole = EmbedRole()
    max_concurrency: int = Field(32, gt=0)
    """Calls of one model at once, over all processes; the provider's push-back lowers it by itself."""
    prices: dict[str, PriceSettings] = Field(default_factory=dict)
    """By model name; wins over LiteLLM's bundled list."""
    tracing: tuple[str, ...] = ()
    """LiteLLM callbacks, such as `langfuse` or `otel` (docs/models.md)."""


class RetrieverSettings(_Strict):
    """How an arm searches. All of it is part of the arm's hash."""

    kind: Literal["dense", "bm25", "hybrid", "trajectory"] = "dense"
    k: int = Field(10, gt=0, le=1000)
    max_k: int | None = Field(None, gt=0, le=1000)
    """How many chunks an agent may ask for in one search; `k` where absent."""
    rrf_k: int = Field(60, gt=0)
    pool: int = Field(400, gt=0)
    """How deep each ranking goes before fusion."""
    bm25_k1: float = Field(1.2, gt=0)
    bm25_b: float = Field(0.75, ge=0, le=1)
    floor: int = Field(1, ge=0)
    """Trajectory: chunks that each period gets before the global ranking fills the rest."""
    subqueries: int = Field(4, ge=0, le=16)
    claims: Literal["none", "clean"] = "none"
    """`clean` searches claims too, without those that a gold nugget cites."""

    @property
    def most(self) -> int:
        """How many chunks one search of an agent may bring."""
        return self.max_k or self.k


class WebSettings(_Strict):
    """Live pages beside a bounded corpus. Keys come from SERPER_API_KEY, JINA_API_KEY and EXA_API_KEY."""

    search_base: str = "https://google.serper.dev"
    reader: Literal["jina", "exa"] = "jina"
    reader_base: str = "https://r.jina.ai"
    """For `exa`: https://api.exa.ai."""
    results: int = Field(5, gt=0, le=20)
    max_bytes: int = Field(2_000_000, gt=0)
    timeout_seconds: float = Field(30, gt=0)
    replay: bool = False
    """Answer from the pages and searches that were stored, and never from the web."""


class BiographySettings(_Strict):
    """How an arm reconstructs careers (docs/politnuggets.md)."""

    strategy: Literal["agent", "agent_no_archive", "lrm_short", "lrm_long", "memory", "deep_research"] = "agent"
    with_reference: bool = False
    """Whether the reference text is the first summary."""
    donor: Slug | None = None
    """For `lrm_short` and `lrm_long`: the arm whose archive is given."""
    max_calls: int = Field(100, gt=1)
    """Model calls a person, over supervisor, searcher and coder."""
    context_words: int = Field(20_000, gt=0)
    """For `lrm_long`: pages are cut after so many words."""
    web: WebSettings | None = None
    """Search the live web in place of the corpus."""


class ArmSettings(_Strict):
    """One configuration under test."""

    agent: Literal["single_shot", "react", "long_context", "external", "biography"] = "single_shot"
    biography: BiographySettings = BiographySettings()
    """For `biography`."""
    model: ModelRole | None = None
    """The agent's model; the role `agent` of `[models]` where absent."""
    retriever: RetrieverSettings = RetrieverSettings()
    max_steps: int = Field(15, gt=0)
    recipe: str = "default"
    endpoint: str | None = None
    """For `external`: an http(s) URL, `python:module:function`, `command:...` or `file:answers.jsonl`."""
    family: str | None = None
    timeout_seconds: float = Field(600, gt=0)


class GoldSettings(_Strict):
    """How the answer key is proposed."""

    thread_min_videos: int = Field(3, ge=1)
    thread_min_days: int = Field(90, ge=0)
    factual_bins: int = Field(5, ge=1)
    factual_per_bin: int = Field(10, ge=0)
    max_longitudinal: int = Field(60, ge=0)
    max_thread_claims: int = Field(25, ge=2)
    recompose_share: float = Field(0.2, ge=0, le=1)
    topic_aliases: Path | None = None
    stop_topics: tuple[str, ...] | None = None
    """Topics too general to make a thread; the shipped list where absent."""
    seed: int = 20260713


class ScoringSettings(_Strict):
    """How verdicts become numbers."""

    judge_mode: Literal["single", "batched"] = "single"
    panel: tuple[ModelRole, ...] = ()
    """Judges who vote, in place of `[models.judge]`; none where empty."""
    panel_rule: Literal["majority", "unanimity"] = "majority"
    max_unscored_share: float = Field(0.02, ge=0, le=1)
    confidence: float = Field(0.95, gt=0, lt=1)
    resamples: int = Field(10_000, ge=100)
    min_kappa: float = Field(0.8, ge=-1, le=1)


class BudgetSettings(_Strict):
    """Hard limits in US dollars; absent means that paid stages ask for `--yes`."""

    run_usd: float | None = Field(None, ge=0)
    day_usd: float | None = Field(None, ge=0)


class DatabaseSettings(_Strict):
    """The embedded Postgres. With `DATABASE_URL` in the environment, that server is used instead."""

    bin_dir: Path | None = None
    """Folder with `postgres` and `initdb` of any Postgres >= 15 with pgvector; the packaged one where absent."""


class ScheduleSettings(_Strict):
    """Scheduled re-evaluation."""

    cron: str = "0 6 * * 1"
    arms: tuple[Slug, ...] = ()
    """Arms that the schedule re-scores; all declared arms where empty."""


class WorkbenchSettings(_Strict):
    """The web pages that people work in."""

    address: str = "http://127.0.0.1:3001"
    """Where the report's links lead, without a slash at the end."""
    user_header: str | None = None
    """Header in which a reverse proxy names the person; without one, the start-up link carries a token."""
    hosts: tuple[str, ...] = ()
    """Names besides loopback under which the proxy passes requests on."""


class FileSettings(_Strict):
    """The shape of `answertrail.toml`."""

    data_dir: Path = Path(".answertrail")
    database: DatabaseSettings = DatabaseSettings()
    channels: dict[Slug, ChannelSettings] = Field(default_factory=dict)
    models: ModelsSettings = ModelsSettings()
    arms: dict[Slug, ArmSettings] = Field(default_factory=dict)
    repetitions: int = Field(1, ge=1)
    gold: GoldSettings = GoldSettings()
    scoring: ScoringSettings = ScoringSettings()
    budget: BudgetSettings = BudgetSettings()
    schedule: ScheduleSettings = ScheduleSettings()
    workbench: WorkbenchSettings = WorkbenchSettings()


class Settings(FileSettings):
    """Everything configured, with paths made absolute against the folder of the file."""

    config: Path
    database_url: str | None = None
    dagster_url: str | None = None
    """Where Dagster keeps its own, beside a `database_url`; the database `dagster` of that server where None."""

    @property
    def root(self) -> Path:
        """The folder of the file, against which relative paths hold."""
        return self.config.parent

    def channel(self, name: str) -> ChannelSettings:
        """Return a channel's settings.

        Raises:
            UserError: no channel of that name is configured.
        """
        if name not in self.channels:
            known = ", ".join(sorted(self.channels)) or "none"
            raise UserError(
                f"No channel `{name}` in {CONFIG_NAME}.",
                f"Known channels: {known}. Add a section [channels.{name}].",
            )
        return self.channels[name]


def find_config(start: Path | None = None, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the configuration file: `ANSWERTRAIL_CONFIG`, else `answertrail.toml` here or in a parent folder.

    Raises:
        UserError: there is none.
    """
    named = environ.get("ANSWERTRAIL_CONFIG")
    if named:
        return Path(named).absolute()
    folder = (start or Path.cwd()).absolute()
    for candidate in (folder, *folder.parents):
        if (candidate / CONFIG_NAME).is_file():
            return candidate / CONFIG_NAME
    raise UserError(
        f"No {CONFIG_NAME} in {folder} or above it.",
        "Make one with `answertrail init FOLDER_OF_CAPTIONS`, or name one with --config.",
    )


def load_settings(path: Path, environ: Mapping[str, str] = os.environ) -> Settings:
    """Read and check a configuration file.

    Raises:
        UserError: it cannot be read, is no TOML, or has a value or key that does not fit; an unknown key is
            named with the nearest valid one.
    """
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"Cannot read {path}: {error}.", "Check the path and its permissions.") from error
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path} is not valid TOML: {error}.", "Mend that line.") from error
    try:
        parsed = FileSettings.model_validate(raw)
    except ValidationError as error:
        raise UserError(f"{path}: {_first_problem(error, raw)}", "Mend the file and try again.") from error
    config = path.absolute()
    root = config.parent
    values = {name: getattr(parsed, name) for name in FileSettings.model_fields}
    values["data_dir"] = root / parsed.data_dir
    values["channels"] = {name: _absolute_source(c, root) for name, c in sorted(parsed.channels.items())}
    return Settings.model_construct(
        **values,
        config=config,
        database_url=environ.get("DATABASE_URL") or None,
        dagster_url=environ.get("ANSWERTRAIL_DAGSTER_URL") or None,
    )


def _absolute_source(channel: ChannelSettings, root: Path) -> ChannelSettings:
    source = channel.source
    return channel.model_copy(update={"source": source.model_copy(update={"path": root / source.path})})


def _first_problem(error: ValidationError, raw: dict[str, Any]) -> str:
    problem = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in problem["loc"])
    if problem["type"] != "extra_forbidden":
        return f"`{where}` = {problem['input']!r}: {problem['msg']}."
    *parents, key = problem["loc"]
    nearest = difflib.get_close_matches(str(key), _valid_keys(parents), n=1, cutoff=0.0)
    hint = f" The nearest valid key is `{nearest[0]}`." if nearest else ""
    return f"unknown key `{where}`.{hint}"


def _valid_keys(parents: list[int | str]) -> list[str]:
    """Return the keys that are valid below a path of the file, walking the models' annotations."""
    models: list[Any] = [FileSettings]
    for part in parents:
        models = [found for model in models for found in _below(model, str(part))]
    return sorted({name for model in models for name in getattr(model, "model_fields", {})})


def _below(annotation: Any, part: str) -> list[Any]:
    if getattr(annotation, "__origin__", None) is dict:
        return _models_in(annotation.__args__[1])
    field = annotation.model_fields.get(part)
    if field is None:  # a tagged union puts its tag, which is no key of the file, into the error's path
        return [annotation]
    return _models_in(field.annotation)


def _models_in(annotation: Any) -> list[Any]:
    """Return the models and mappings that an annotation holds, looking through unions and `Annotated`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    if getattr(annotation, "__origin__", None) is dict:
        return [annotation]
    return [found for part in getattr(annotation, "__args__", ()) for found in _models_in(part)]
