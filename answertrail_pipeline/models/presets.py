"""Shipped presets: the set-ups of the published study, as settings to start from. Model names are settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.settings import ArmSettings, ModelRole, ModelsSettings, RetrieverSettings

AGENT_MODEL: Final = "openai/gpt-5.4"
WRITER_MODEL: Final = "anthropic/claude-sonnet-5"


@dataclass(frozen=True)
class Preset:
    """A set-up: who does the model work, one arm, and how often it is run.

    Attributes:
        arm_name: the arm's slug.
    """

    description: str
    arm_name: str
    arm: ArmSettings
    models: ModelsSettings
    repetitions: int


def published_models(agent: str = AGENT_MODEL, writer: str = WRITER_MODEL) -> ModelsSettings:
    """Return the roles as the study had them: extraction without thinking, composing with it.

    Args:
        agent: LiteLLM name of the agent's model.
        writer: LiteLLM name of the model that writes the gold, cuts answers and judges; of another family.
    """
    plain = ModelRole(model=writer, max_output_tokens=16_000)
    thinking = ModelRole(model=writer, reasoning_effort="medium", max_output_tokens=8_000)
    return ModelsSettings(
        extract=plain,
        select=ModelRole(model=writer, max_output_tokens=1_000),
        compose=thinking,
        nuggets=thinking,
        assertions=ModelRole(model=writer, max_output_tokens=8_000),
        judge=ModelRole(model=writer, max_output_tokens=6_000),
        agent=ModelRole(model=agent, reasoning_effort="low", max_output_tokens=8_000),
    )


PRESETS: Final[Mapping[str, Preset]] = {
    "published-react-dense": Preset(
        "An agent that searches until it is ready, at most 15 steps, by dense search: 10 chunks each.",
        "react-dense",
        ArmSettings(
            agent="react", retriever=RetrieverSettings(kind="dense", k=10, max_k=20, rrf_k=60), max_steps=15
        ),
        published_models(),
        3,
    ),
    "published-react-hybrid": Preset(
        "The same agent by dense and BM25 search, fused by reciprocal rank with k = 60.",
        "react-hybrid",
        ArmSettings(
            agent="react", retriever=RetrieverSettings(kind="hybrid", k=10, max_k=20, rrf_k=60), max_steps=15
        ),
        published_models(),
        3,
    ),
    "published-single-shot": Preset(
        "One round of dense search, then the answer.",
        "single-shot",
        ArmSettings(agent="single_shot", retriever=RetrieverSettings(kind="dense", k=10, max_k=20, rrf_k=60)),
        published_models(),
        3,
    ),
}


def find_preset(name: str) -> Preset:
    """Return a preset.

    Raises:
        UserError: there is none of that name.
    """
    if name not in PRESETS:
        raise UserError(f"No preset `{name}`.", f"Presets: {', '.join(PRESETS)}.")
    return PRESETS[name]


def preset_toml(name: str) -> str:
    """Return a preset as text for `answertrail.toml`: only what differs from the defaults.

    Raises:
        UserError: there is none of that name.
    """
    preset = find_preset(name)
    lines = [f"# Preset {name}. {preset.description}", f"repetitions = {preset.repetitions}", "", "[models]"]
    for role, value in preset.models:
        if isinstance(value, ModelRole) and not value.is_baseline:
            lines.append(f"{role} = {_inline(value.model_dump(exclude_defaults=True))}")
    lines += ["", f"[arms.{preset.arm_name}]"]
    arm = preset.arm.model_dump(exclude_unset=True)
    retriever = arm.pop("retriever")
    lines += [f"{key} = {_value(value)}" for key, value in arm.items()]
    lines.append(f"retriever = {_inline(retriever)}")
    return "\n".join(lines) + "\n"


def _inline(values: Mapping[str, object]) -> str:
    return "{ " + ", ".join(f"{key} = {_value(value)}" for key, value in values.items()) + " }"


def _value(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
