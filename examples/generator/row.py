"""One row of the benchmark, with the reason why it is there and the flags it must get."""

from dataclasses import dataclass, field

FLAGS = ("embedding", "contradiction", "extent", "hallucination", "source", "module", "relation", "final")

MEMBERS = "Member Services"
STAFF = "Personalhandbuch"
PARTNER = "Partner Bot"
UNKNOWN = "Legal Desk"


@dataclass(frozen=True, kw_only=True)
class Script:
    """What Partner Bot says: another system's answers, with the passages it says they come from."""

    answer: str
    sources: tuple[tuple[str, str], ...] = ()
    modules: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Row:
    """One question with what was accepted last time.

    `why` says what this row shows. `true` names the flags that must be TRUE and `empty` those with nothing to judge;
    all others must be FALSE.
    """

    space: str
    question: str
    why: str
    reference: str = ""
    sources: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    correct: bool = True
    owner: str = ""
    script: Script | None = None
    true: frozenset[str] = field(default_factory=frozenset)
    empty: frozenset[str] = field(default_factory=frozenset)

    def expected(self) -> dict[str, bool | None]:
        """Return each flag's value: True, False, or None where there is nothing to judge."""
        return {flag: None if flag in self.empty else flag in self.true for flag in FLAGS}


def flags(names: str) -> frozenset[str]:
    """Return the flags named in a text, and refuse a name that is none."""
    wanted = frozenset(names.split())
    if unknown := wanted - set(FLAGS):
        raise ValueError(f"no such flags: {sorted(unknown)}")
    return wanted
