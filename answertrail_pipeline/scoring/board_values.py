"""How values are written into a scoreboard."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

_DECIMALS = 10  # the last bits of a float differ between machines


def _plain(value: Any) -> Any:
    if not isinstance(value, float):
        return value
    return int(value) if value.is_integer() else round(value, _DECIMALS)


Number = Annotated[int | float, BeforeValidator(_plain)]


class Frozen(BaseModel):
    """A part of a scoreboard: nothing else is in it, and nothing changes it."""

    model_config = ConfigDict(extra="forbid", frozen=True)
