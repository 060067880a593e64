"""What a route may ask for, by name."""

from typing import Annotated, Protocol

from fastapi import Depends, Request

from service.runs import Runs, User
from service.settings import Settings


class Service(Protocol):
    """What the application keeps in `app.state.service`."""

    @property
    def runs(self) -> Runs:
        """The run room."""
        ...

    @property
    def spaces(self) -> tuple[str, ...]:
        """The names of the spaces there are."""
        ...


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def _runs(request: Request) -> Runs:
    return _service(request).runs


def _spaces(request: Request) -> tuple[str, ...]:
    return _service(request).spaces


def _settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


def _user() -> User:
    """Return the one user of a service whose door is its token."""
    return User()


RunsDep = Annotated[Runs, Depends(_runs)]
SpacesDep = Annotated[tuple[str, ...], Depends(_spaces)]
SettingsDep = Annotated[Settings, Depends(_settings)]
UserDep = Annotated[User, Depends(_user)]
