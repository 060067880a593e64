"""How many tokens calls to a model take: learned from those made, so that the next can be paid for beforehand."""

from collections.abc import Mapping
from typing import Any

_MARGIN = 2.0
"""So many times what was ever seen is expected of the next call."""
_SEEN = 20
"""After so many replies their longest says more than `reply_tokens`."""

_CAPS = ("max_completion_tokens", "max_tokens")


class Habits:
    """What was seen of one model.

    Before its first reply every byte of a request is taken for a token, which no vocabulary of bytes exceeds; the first
    replies are taken to be `reply_tokens` long, or longer where one was.
    """

    def __init__(self, reply_tokens: int) -> None:
        self._reply_tokens = reply_tokens
        self._tokens_a_byte = 0.0
        self._longest = 0
        self._replies = 0

    def expect(self, size: int, body: Mapping[str, Any]) -> tuple[int, int]:
        """Return the most tokens (in, out) that are expected of a request of so many bytes."""
        rate = min(1.0, self._tokens_a_byte * _MARGIN) if self._tokens_a_byte else 1.0
        caps = [int(body[name]) for name in _CAPS if isinstance(body.get(name), int)]
        longest = max(self._reply_tokens if self._replies < _SEEN else 1, int(self._longest * _MARGIN))
        return int(size * rate) + 1, min([longest, *caps]) if "messages" in body else 0

    def learn(self, size: int, tokens_in: int | None, tokens_out: int | None) -> None:
        """Note what a call took."""
        self._tokens_a_byte = max(self._tokens_a_byte, (tokens_in or 0) / max(1, size))
        self._longest = max(self._longest, tokens_out or 0)
        self._replies += tokens_out is not None
