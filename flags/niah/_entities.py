"""Names, attributes and values that exist nowhere else."""

import random
from typing import Literal

ValueKind = Literal["any", "integer", "float", "code"]

_STARTS = (
    "Zy", "Kor", "Vor", "Xen", "Thal", "Qui", "Bry", "Drel", "Fenn", "Gol", "Hal", "Ith", "Jor", "Kry", "Lum", "Myr",
    "Nax", "Ori", "Pra", "Ryl", "Sor", "Tev", "Ulm", "Vex", "Wyr", "Yss", "Zan", "Cal", "Eld", "Aru",
)  # fmt: skip
_MIDDLES = (
    "ran", "ar", "an", "ed", "ol", "im", "eth", "un", "or", "is", "al", "ev", "om", "ur", "il", "ax", "ena", "idu",
    "oma", "uri", "ele", "ava",
)  # fmt: skip
_ENDS = (
    "thex", "rax", "thix", "arium", "drome", "los", "mir", "quor", "dane", "vane", "bryl", "gast", "phon", "stal",
    "tine", "wick", "zor", "nyx", "plex", "dor", "keth", "lune",
)  # fmt: skip
_GREEK = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Theta", "Kappa", "Lambda", "Omicron", "Sigma", "Omega")
_DIRECTIONS = ("North", "South", "East", "West")
_KINDS = ("Project", "Compound", "Station", "Planet", "Colony", "Reactor", "Archive", "Vessel")
_ROMAN = ("II", "III", "IV", "VI", "VII", "VIII", "IX", "XI", "XII")

ATTRIBUTES = (
    "orbital period", "resonance frequency", "thermal coefficient", "migration index", "flux retention", "decay margin",
    "tidal offset", "lattice strain", "dispersion quotient", "luminous threshold", "ionic drift", "torsion limit",
    "absorption ratio", "harmonic span", "settling time", "shear modulus", "polar tilt", "pressure gradient",
    "refraction constant", "saturation depth", "coupling strength", "filament density", "signal latency", "mantle flow",
    "erosion factor", "charge reserve", "spin parity", "cooling interval", "viscosity grade", "phase delay",
)  # fmt: skip


def entity(rng: random.Random, taken: set[str]) -> str:
    """Return a name of two to four syllables with a disambiguator; its syllables are added to `taken`."""
    root = _root(rng, taken)
    form = rng.randrange(5)
    if form == 0:
        return f"{root}-{rng.randint(2, 99)}"
    if form == 1:
        return f"{rng.choice(_KINDS)} {rng.choice(_GREEK)}-{root}"
    if form == 2:
        return f"{root} {rng.choice(_ROMAN)}"
    if form == 3:
        return f"{rng.choice(_KINDS)} {root}-{rng.choice(_ROMAN)}"
    return f"{root} {rng.choice(_DIRECTIONS)}"


def neighbours(rng: random.Random, count: int) -> tuple[str, ...]:
    """Return so many names that differ in their number only; the first is not the smallest or greatest if it can be."""
    root = f"{rng.choice(_KINDS)} {_root(rng, set())}"
    low = rng.randint(3, 60)
    numbers = list(range(low, low + count))
    target = numbers.pop(count // 2)
    return tuple(f"{root}-{number}" for number in (target, *numbers))


def _root(rng: random.Random, taken: set[str]) -> str:
    while True:
        middles = "".join(rng.choice(_MIDDLES) for _ in range(rng.randint(0, 2)))
        root = rng.choice(_STARTS) + middles + rng.choice(_ENDS)
        if root not in taken:
            taken.add(root)
            return root


def value(rng: random.Random, kind: ValueKind, taken: set[str]) -> str:
    """Return an integer, a number with two decimals or a short code that is not in `taken`, and add it there."""
    makers = {"integer": _integer, "float": _float, "code": code}
    while True:
        chosen = rng.choice(tuple(makers)) if kind == "any" else kind
        found = makers[chosen](rng)
        if found not in taken:
            taken.add(found)
            return found


def code(rng: random.Random) -> str:
    """Return a short code (`QR-7749`)."""
    return f"{_letter(rng)}{_letter(rng)}-{rng.randint(1000, 9999)}"


def _letter(rng: random.Random) -> str:
    return rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ")


def _integer(rng: random.Random) -> str:
    return str(rng.randint(100, 9999))


def _float(rng: random.Random) -> str:
    return f"{rng.randint(1, 998)}.{rng.randint(1, 9)}{rng.randint(1, 9)}"
