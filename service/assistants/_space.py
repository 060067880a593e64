"""A space: a named assistant with its members, its backend and that backend's settings."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationInfo

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class Space(BaseModel):
    """One entry of spaces.yaml; JSON-serialisable and free of secrets, so that a run can keep it as a snapshot."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name = Field(description="What stands in column Assistant.")
    members: tuple[Name, ...] = Field((), description="Users who may ask it; without members everybody may.")
    backend: Name = Field("documents", description="What answers: one of the backends below.")
    concurrency: int = Field(8, ge=1, le=1000, description="Questions that may be open at the same time.")
    context_window: int | None = Field(
        None, ge=1, description="Tokens prompt and answer may have together; a longer needle-in-a-haystack is skipped."
    )
    flags: dict[str, dict[str, Any]] = Field(
        default_factory=dict, description="Settings by flag name, such as `{embedding: {threshold: 0.9}}`."
    )
    settings: dict[str, Any] = Field(
        default_factory=dict, description="The backend's own settings; in the file they stand flat beside the others."
    )

    def admits(self, user: str) -> bool:
        """Return whether the user is a member; a space without members is open to all."""
        return not self.members or user in self.members


def _absolute(path: Path, info: ValidationInfo) -> Path:
    folder = (info.context or {}).get("folder")
    path = path.expanduser()
    return Path(folder, path).absolute() if folder else path.absolute()


Location = Annotated[Path, AfterValidator(_absolute)]
"""A file or folder; relative ones are taken from the folder of the spaces file and kept absolute."""


def _listed(value: Any) -> Any:
    return (value,) if isinstance(value, str | Path) else value


Locations = Annotated[tuple[Location, ...], BeforeValidator(_listed)]
"""Files and folders; a single one needs no list."""

Variable = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,99}$")]
"""The name of an environment variable; a key pasted by mistake does not look like one and is refused."""
