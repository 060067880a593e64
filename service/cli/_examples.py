"""Where the examples lie, and settings that no variable of this machine can change."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from service.settings import Settings

HERE = Path(__file__).resolve()


def examples_folder() -> Path:
    """Return the folder of the demo: `examples/` of the checkout, else the copy inside the installed package."""
    from service.errors import ExamplesMissing

    checkout, packaged = HERE.parents[2] / "examples", HERE.parents[1] / "_examples"
    for folder in (checkout, packaged):
        if (folder / "spaces.yaml").is_file() and (folder / "Benchmark.xlsx").is_file():
            return folder
    raise ExamplesMissing(path=str(packaged))


def sealed_settings(**given: Any) -> "Settings":
    """Return settings made of what is given and of defaults alone: keys and variables of this machine play no part."""
    from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

    from service.settings import Settings

    class Sealed(Settings):
        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            *others: PydanticBaseSettingsSource,
            **named: PydanticBaseSettingsSource,
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return (init_settings,)

    return Sealed(**given)
