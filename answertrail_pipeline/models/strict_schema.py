"""JSON schemas in the form that providers enforce: every property required, no others allowed."""

from typing import Any, Final

_UNKNOWN_TO_PROVIDERS: Final = ("default", "title", "examples")


def strict_schema(schema: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """Return a schema for enforcement, and whether it can be enforced strictly.

    An open mapping (`additionalProperties` with a schema) cannot. A field with a default becomes required: the
    model must write it, and what it writes is checked against the original type.
    """
    strict = True

    def walk(node: Any) -> Any:
        nonlocal strict
        if isinstance(node, list):
            return [walk(item) for item in node]
        if not isinstance(node, dict):
            return node
        made = {
            key: {name: walk(part) for name, part in value.items()}
            if key in ("properties", "$defs")
            else walk(value)
            for key, value in node.items()
            if key not in _UNKNOWN_TO_PROVIDERS
        }
        if node.get("type") == "object":
            if isinstance(node.get("additionalProperties"), dict) or node.get("additionalProperties") is True:
                strict = False
            else:
                made["additionalProperties"] = False
                made["required"] = list(node.get("properties", {}))
        return made

    return walk(schema), strict
