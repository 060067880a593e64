"""Which flagbook this is."""

from importlib.metadata import PackageNotFoundError, version


def installed_version() -> str:
    """Return the version of the installed package, "0" in a checkout that is not installed."""
    try:
        return version("flagbook")
    except PackageNotFoundError:
        return "0"
