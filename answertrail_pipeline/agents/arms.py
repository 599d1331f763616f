"""Arms: what is configured under a name, made whole, and the hash of everything that shapes what it does."""

import importlib.resources
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from answertrail_pipeline.agents.external_files import ANSWER_FILE, answer_file
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.hashing import fingerprint, text_sha256
from answertrail_pipeline.language.tokens import base_language
from answertrail_pipeline.models.families import UNKNOWN, family_of
from answertrail_pipeline.settings import ArmSettings, EmbedRole, ModelRole, Settings
from answertrail_pipeline.tasks.code_events import CODE_EVENTS
from answertrail_pipeline.tasks.extract_claims import EXTRACT_CLAIMS
from answertrail_pipeline.tasks.focus_search import FOCUS_SEARCH
from answertrail_pipeline.tasks.next_step import NEXT_STEP
from answertrail_pipeline.tasks.plan_gaps import PLAN_GAPS
from answertrail_pipeline.tasks.plan_searches import PLAN_SEARCHES
from answertrail_pipeline.tasks.task import Task
from answertrail_pipeline.tasks.write_answer import WRITE_ANSWER

AGENTS_VERSION = "2"
"""Raised by hand when the code of an agent changes what it does."""
_RECIPES = importlib.resources.files("answertrail_pipeline.agents").joinpath("recipes")


class Arm(BaseModel):
    """A configuration under test, whole: nothing in it is looked up later.

    Attributes:
        settings: as configured, with the model filled in from `[models]`. The timeout is not in the
            hash: it decides whether an agent answers, never what.
        embedder: which embedding model searches use.
        language: of the channel.
        recipe: text of the recipe.
        prompts: prompt hash of each task that an agent has done.
        answers_sha256: of the file of finished answers, for an arm that imports one.
        claims_from: prompt and model that extracted the claims, for an arm that searches claims.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    settings: ArmSettings
    embedder: str
    language: str
    recipe: str
    prompts: dict[str, str]
    answers_sha256: str | None = None
    claims_from: dict[str, Any] | None = None
    agents_version: str = AGENTS_VERSION

    @property
    def role(self) -> ModelRole:
        """The model behind the agent; `baseline` for an external one, which brings its own."""
        return self.settings.model or ModelRole()

    @property
    def model_name(self) -> str:
        """The model's name, `baseline` for rules, or `external`."""
        return "external" if self.settings.agent == "external" else self.role.model

    @property
    def family(self) -> str | None:
        """Who made the agent's model: None for rules, `unknown` where nobody says."""
        if self.settings.agent == "external":
            return self.settings.family or UNKNOWN
        return family_of(self.role)

    @property
    def hash(self) -> str:
        """Fingerprint of everything that shapes what the agent does."""
        made = self.model_dump(mode="json")
        del made["settings"]["timeout_seconds"]
        if self.claims_from is None:  # as before there was a search for claims: finished trails stay adoptable
            del made["claims_from"]
        return fingerprint(made)


def make_arm(name: str, settings: Settings, channel: str) -> Arm:
    """Return the arm configured under a name, as it works on a channel.

    Raises:
        UserError: no such arm, channel, recipe or file of answers; or an external arm without an endpoint.
    """
    language = settings.channel(channel).language
    if name not in settings.arms:
        known = ", ".join(sorted(settings.arms)) or "none"
        raise UserError(f"No arm `{name}` is configured.", f"Known arms: {known}. Add a section [arms.{name}].")
    arm = settings.arms[name]
    external = arm.agent == "external"
    if external and not arm.endpoint:
        raise UserError(
            f"The external arm `{name}` has no `endpoint`.",
            'Set it to "https://...", "python:module:function", "command:..." or "file:answers.jsonl".',
        )
    if arm.agent == "biography":
        _check_biography(name, arm)
    whole = arm if external or arm.model else arm.model_copy(update={"model": settings.models.agent})
    return Arm(
        settings=whole,
        embedder=_embedder(settings.models.embed, language),
        language=language,
        recipe="" if external else read_recipe(arm.recipe, settings.root),
        prompts={task.name: task.prompt_hash for task in _tasks(arm)},
        answers_sha256=_answers_sha256(arm, settings.root) if arm.endpoint else None,
        claims_from=_claims_from(settings.models.extract) if arm.retriever.claims != "none" else None,
    )


def _claims_from(extract: ModelRole) -> dict[str, Any]:
    return {"prompt": EXTRACT_CLAIMS.prompt_hash, "model": extract.model_dump(mode="json")}


def _check_biography(name: str, arm: ArmSettings) -> None:
    how = arm.biography
    if how.strategy == "deep_research" and not arm.endpoint:
        raise UserError(
            f"The arm `{name}` imports reports and has no `endpoint`.",
            'Set it to "file:answers.jsonl", "https://...", "python:module:function" or "command:...".',
        )
    if how.strategy in ("lrm_short", "lrm_long") and not how.donor:
        raise UserError(f"The arm `{name}` is given an archive and names no `donor`.", "Name the arm whose it is.")


def _tasks(arm: ArmSettings) -> tuple[Task[Any, Any], ...]:
    if arm.agent == "biography":
        return PLAN_GAPS, FOCUS_SEARCH, CODE_EVENTS
    return NEXT_STEP, PLAN_SEARCHES, WRITE_ANSWER


def arm_hash(name: str, settings: Settings, channel: str) -> str:
    """Return the hash of everything that shapes what the arm configured under a name does on a channel."""
    return make_arm(name, settings, channel).hash


def read_recipe(recipe: str, root: Path) -> str:
    """Return the text of a recipe: one that is shipped, or a Markdown file beside `answertrail.toml`.

    Raises:
        UserError: there is none of that name.
    """
    if recipe.endswith(".md"):
        try:
            return (root / recipe).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"Cannot read the recipe {root / recipe}: {error}.", "Check the path.") from error
    shipped = sorted(entry.name.removesuffix(".md") for entry in _RECIPES.iterdir() if entry.name.endswith(".md"))
    if recipe not in shipped:
        raise UserError(
            f"No recipe `{recipe}` is shipped.", f'Shipped: {", ".join(shipped)}. Your own: recipe = "mine.md".'
        )
    return _RECIPES.joinpath(f"{recipe}.md").read_text("utf-8").strip()


def _embedder(role: EmbedRole, language: str) -> str:
    """Return which embedding model is meant: `default` is a packaged one, chosen by the language."""
    if "model" not in role.model_fields_set:
        return f"default for {base_language(language)}"
    return f"{role.model} {role.dimensions}" if role.dimensions else role.model


def _answers_sha256(arm: ArmSettings, root: Path) -> str | None:
    endpoint = arm.endpoint or ""
    if not endpoint.startswith(ANSWER_FILE):
        return None
    return text_sha256(answer_file(endpoint, root))
