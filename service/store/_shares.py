"""Dividing a space's places among those who want some."""

from collections.abc import Mapping


def fair(wishes: Mapping[str, int], most: int) -> dict[str, int]:
    """Return each one's part of `most` places: as equal as can be, none more than it wishes.

    Who comes first by name gets what does not divide, so that all who reckon come to the same parts.
    """
    parts = dict.fromkeys(wishes, 0)
    wanting = sorted(name for name, wish in wishes.items() if wish > 0)
    left = most
    while left > 0 and wanting:
        each, more = divmod(left, len(wanting))
        for place, name in enumerate(wanting):
            given = min(each + (place < more), wishes[name] - parts[name])
            parts[name] += given
            left -= given
        wanting = [name for name in wanting if parts[name] < wishes[name]]
    return parts
