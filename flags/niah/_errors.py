"""What can go wrong with a needle and its haystack.

FlagError
└── NiahError             carries a short stable code
    ├── ConfigRefused     an experiment's field is unknown or has a wrong value
    ├── SpecRefused       a cell's task, parameter or number of needles cannot be used
    ├── ExpectedRefused   an expected answer that any response would contain
    ├── HaystackTooShort  a corpus holds fewer tokens than the document needs
    ├── HaystackUnknown   no corpus has this name
    └── DocumentImpossible  no document of exactly this length can be built
"""

from typing import ClassVar

from flags._errors import FlagError


class NiahError(FlagError):
    """The root of all errors of needle in a haystack; the message is a sentence for the person."""

    code: ClassVar[str] = "niah"


class ConfigRefused(NiahError):
    code = "niah_config_refused"


class SpecRefused(NiahError):
    code = "niah_cell_refused"


class ExpectedRefused(NiahError):
    code = "niah_expected_refused"


class HaystackTooShort(NiahError):
    code = "niah_haystack_too_short"


class HaystackUnknown(NiahError):
    code = "niah_haystack_unknown"


class DocumentImpossible(NiahError):
    code = "niah_document_impossible"
