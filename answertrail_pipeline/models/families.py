"""Who made a model, read through the routers that serve it: the judge must not be the agent's kin."""

import re
from typing import Final

from answertrail_pipeline.settings import ModelRole

UNKNOWN: Final = "unknown"

# Names by which a maker's models are known, wherever they are served; each must start a word of the name.
_MAKERS: Final = {
    "ai21": ("jamba", "j2", "ai21"),
    "alibaba": ("qwen", "qwq", "qvq", "tongyi"),
    "allenai": ("olmo", "tulu", "molmo"),
    "amazon": ("nova", "titan"),
    "anthropic": ("claude", "anthropic"),
    "baidu": ("ernie",),
    "cohere": ("command", "aya", "cohere", "c4ai"),
    "databricks": ("dbrx",),
    "deepseek": ("deepseek",),
    "google": ("gemini", "gemma", "palm", "bison", "medlm", "learnlm"),
    "ibm": ("granite",),
    "meta": ("llama", "meta", "codellama"),
    "microsoft": ("phi", "wizardlm", "orca"),
    "minimax": ("minimax", "abab"),
    "mistral": ("mistral", "mixtral", "codestral", "magistral", "ministral", "devstral", "pixtral", "mathstral"),
    "moonshot": ("kimi", "moonshot"),
    "nvidia": ("nemotron",),
    "openai": ("gpt", "chatgpt", "o1", "o3", "o4", "davinci", "openai"),
    "reka": ("reka",),
    "tencent": ("hunyuan",),
    "tii": ("falcon",),
    "xai": ("grok",),
    "zhipu": ("glm", "chatglm", "zai"),
}
# Providers that serve their own models only. `azure/` names a deployment of an OpenAI model.
_OWN_MODELS: Final = {
    "anthropic": "anthropic",
    "azure": "openai",
    "cohere": "cohere",
    "cohere_chat": "cohere",
    "dashscope": "alibaba",
    "deepseek": "deepseek",
    "gemini": "google",
    "meta_llama": "meta",
    "mistral": "mistral",
    "moonshot": "moonshot",
    "openai": "openai",
    "text-completion-openai": "openai",
    "xai": "xai",
    "zai": "zhipu",
}


def family_of(role: ModelRole) -> str | None:
    """Return the maker of a role's model; `unknown` where the name does not tell, None for the rules.

    A declared `family` wins. A distilled model (`deepseek-r1-distill-llama-70b`) is named after all its makers,
    joined by `+`.
    """
    makers = _makers(role)
    if makers is None:
        return None
    return "+".join(sorted(makers)) or UNKNOWN


def are_kin(first: ModelRole, second: ModelRole) -> bool:
    """Return whether two roles share a maker, or run the same model of an unknown one. Rules are nobody's kin."""
    ours, theirs = _makers(first), _makers(second)
    if ours is None or theirs is None:
        return False
    return bool(ours & theirs) or (not ours and not theirs and first.model == second.model)


def _makers(role: ModelRole) -> set[str] | None:
    if role.family:
        return {role.family.lower()}
    if role.is_baseline:
        return None
    provider, _, rest = role.model.lower().partition("/")
    name = rest or provider
    found = {
        maker
        for maker, words in _MAKERS.items()
        if any(re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z])", name) for word in words)
    }
    served_elsewhere = provider == "openai" and role.api_base  # any server can speak OpenAI's protocol
    if not found and rest and provider in _OWN_MODELS and not served_elsewhere:
        found = {_OWN_MODELS[provider]}
    return found
