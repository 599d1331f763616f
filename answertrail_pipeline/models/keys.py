"""Which provider's key a model needs; no value of a key is ever read here."""


def missing_keys(model: str) -> list[str]:
    """Return the environment variables that a LiteLLM model needs and that are not set; none where unknown."""
    from answertrail_pipeline.models.quiet import load_litellm

    found: list[str] = load_litellm().validate_environment(model)["missing_keys"]
    return found
