"""What can go wrong inside a flag.

FlagError
├── JudgeFailed        the judge gave no usable verdict; carries the code shown to the person
└── FlagsMisconfigured a flag or a setting of a flag that does not exist
"""


class FlagError(Exception):
    """The root of all errors raised in this package."""


class JudgeFailed(FlagError):
    """Say that a judge could not give a verdict; the flag becomes *failed*, never FALSE.

    `code` is a short stable name (`judge_malformed`, `judge_unreachable`, `judge_cannot_tell` …) that ends in the
    row's explanation; `message` is a sentence for the person.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class FlagsMisconfigured(FlagError):
    """Say that a named flag, or a setting of it, does not exist."""
