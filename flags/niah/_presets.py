"""Experiments by name; a config that names one overrides its fields."""

from collections.abc import Mapping
from typing import Any

_REASONING = [{"task": "m_rs", "parameters": {"reasoning": kind}} for kind in ("sum", "max", "mean")]
_EVERY_REASONING = [
    {"task": "m_rs", "num_needles": [3, 5], "parameters": {"reasoning": kind}}
    for kind in ("sum", "max", "min", "mean", "conditional", "chain")
]
_OTHERS = ["counting", "key_value", "conflicting", "distractor"]
_TENTHS = list(range(0, 101, 10))
_QUARTERS = [0, 25, 50, 75, 100]


def _traces(hops: list[int], structures: tuple[str, ...] = ("chain",)) -> list[dict[str, Any]]:
    return [
        {"task": "atc", "parameters": {"hops": count, "structure": structure}}
        for structure in structures
        for count in hops
    ]


def _needlebench(lengths: list[int]) -> dict[str, Any]:
    return {
        "tasks": [
            "s_rt",
            {"task": "m_rt", "num_needles": [2, 3, 4, 5]},
            {"task": "m_rs", "num_needles": [2, 3, 4, 5]},
            *_traces([2, 3, 4, 6, 8, 10]),
        ],
        "context_lengths": lengths,
        "depth_percents": _TENTHS,
        "trials_per_cell": 3,
    }


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "quick": {
        "tasks": ["s_rt"],
        "context_lengths": [1000, 4000, 8000],
        "depth_percents": [0, 50, 100],
    },
    "standard": {
        "tasks": ["s_rt", {"task": "m_rt", "num_needles": [3, 5]}, *_REASONING, *_traces([2, 4]), *_OTHERS],
        "context_lengths": [4000, 8000, 16000, 32000],
        "depth_percents": _QUARTERS,
        "trials_per_cell": 3,
    },
    "full": {
        "tasks": [
            "s_rt",
            {"task": "m_rt", "num_needles": [2, 4, 8, 16]},
            *_EVERY_REASONING,
            *_traces([2, 4, 6, 8, 10]),
            *_traces([2, 4, 6], ("tree", "dag")),
            {"task": "counting", "num_needles": [5, 10, 20]},
            {"task": "key_value", "num_needles": [10, 50, 100]},
            "conflicting",
            "distractor",
        ],
        "context_lengths": [4000, 8000, 16000, 32000, 64000, 128000],
        "depth_percents": _TENTHS,
        "trials_per_cell": 3,
    },
    "large_context": {
        "tasks": ["s_rt", {"task": "m_rt", "num_needles": [4, 8]}, "key_value"],
        "context_lengths": [128000, 256000, 512000, 1000000],
        "depth_percents": _QUARTERS,
    },
    "needlebench_32k": _needlebench([4000, 8000, 16000, 32000]),
    "needlebench_128k": _needlebench([16000, 32000, 64000, 128000]),
    "needlebench_1m": _needlebench([128000, 256000, 512000, 1000000]),
}
