"""A wrong settings file in words: which key, which value, which valid key is nearest."""

import difflib
from typing import Any

from pydantic import BaseModel, ValidationError

from answertrail_pipeline.settings.file import FileSettings

SECRET = ("webhook",)
"""Keys whose values are in no message."""


def first_problem(error: ValidationError) -> str:
    """Say what is wrong in words, with the nearest valid key where one is unknown."""
    problem = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in problem["loc"])
    if problem["type"] != "extra_forbidden":
        shown = "" if problem["loc"][-1] in SECRET else f" = {problem['input']!r}"
        return f"`{where}`{shown}: {problem['msg']}."
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
