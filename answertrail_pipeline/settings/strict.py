"""What all settings share."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=60)]


class Strict(BaseModel):
    """Settings that know no other keys and never change."""

    model_config = ConfigDict(extra="forbid", frozen=True)
