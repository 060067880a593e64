"""The measuring of flags: figures with known results, and a small labelled file from reading to printing."""

import json
from pathlib import Path

import pytest

from benchmarks._figures import Seen, auc, figures, kappa, overall, wilson
from benchmarks._labelled import read_items
from benchmarks.accuracy import judge, report, table
from flags import LocalJudge, Tools
from flags._fakes import WordEmbedder

KEYS = {"n", "auc", "false_alarm", "miss", "precision", "recall", "kappa"}
SAID = [  # deviates, flagged, score
    Seen(True, True, 0.9),
    Seen(True, True, 0.8),
    Seen(True, False, 0.4),
    Seen(False, True, 0.6),
    Seen(False, False, 0.3),
    Seen(False, False, 0.2),
    Seen(False, False, 0.1),
    Seen(False, False, 0.4),
]


def test_figures_count_what_deviates_as_positive() -> None:
    """Two of three found, one of five alarmed falsely, 13.5 of 15 pairs in the right order."""
    found = figures(SAID)
    assert set(found) > KEYS
    assert (found["n"], found["recall"], found["miss"]) == (8, 0.667, 0.333)
    assert (found["false_alarm"], found["precision"], found["auc"], found["kappa"]) == (0.2, 0.667, 0.9, 0.467)
    for name in KEYS - {"n"}:
        low, high = found["intervals"][name]
        assert low <= found[name] <= high


def test_intervals_have_their_textbook_values() -> None:
    """Nothing bad in 30 still allows 11 %."""
    none = wilson(0, 30)
    assert none is not None
    assert none.interval == pytest.approx((0.0, 0.1135), abs=1e-4)
    assert wilson(0, 0) is None
    assert kappa([]) is None
    assert kappa([Seen(True, True, None)]) is None


def test_what_is_not_defined_is_no_number() -> None:
    """An AUC needs both kinds of items and a score for each."""
    assert figures([Seen(True, True, 0.9)])["auc"] is None
    assert figures([Seen(True, True, 0.9), Seen(False, False, None)])["auc"] is None
    assert figures([])["recall"] is None
    assert overall({})["auc"] is None


def test_the_auc_over_all_is_the_mean_within_origins() -> None:
    """Origins whose scores lie apart are no mistake of the flag: pooled, this would be .5."""
    low, high = ([Seen(True, True, base + 0.1), Seen(False, False, base)] for base in (0.1, 0.8))
    assert overall({"low": low, "high": high})["auc"] == 1.0
    pooled = auc([*low, *high])
    assert pooled is not None
    assert pooled.value == 0.75


LINES = [
    {
        "question": "What is the limit?",
        "reference": "The limit is CHF 200 per night.",
        "answer": "The limit is CHF 250 per night.",
        "sources": ["The limit is CHF 200 per night."],
        "label_contradiction": True,
        "label_hallucination": True,
        "label_equivalent": False,
        "origin": "invented",
    },
    {
        "question": "What is the limit?",
        "reference": "The limit is CHF 200 per night.",
        "answer": "Per night the limit is CHF 200.",
        "sources": None,
        "label_contradiction": False,
        "label_hallucination": False,
        "label_equivalent": True,
        "label_extent": None,
        "origin": "invented",
    },
]


async def test_a_labelled_file_becomes_figures(tmp_path: Path) -> None:
    """Null labels are left out, and what has no sources is counted apart."""
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in LINES), encoding="utf-8")
    items = read_items(path)
    judged = await judge(items, Tools(judge=LocalJudge(WordEmbedder()), embedder=WordEmbedder()))
    found = report(items, judged)
    assert set(found) == {"contradiction", "hallucination", "equivalent"}
    for by_origin in found.values():
        assert set(by_origin) == {"all", "invented"}
        assert set(by_origin["all"]) > KEYS
    told = found["equivalent"]["invented"]
    assert (told["n"], told["recall"], told["false_alarm"]) == (2, 1.0, 0.0)
    assert told["plain"]["n"] == 2
    support = found["hallucination"]["all"]
    assert (support["n"], support["not_judged"], support["recall"]) == (1, 1, 1.0)
    assert "invented" in table(found)
    json.dumps(found)


def test_a_line_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """The person who made the file finds it at once."""
    path = tmp_path / "items.jsonl"
    path.write_text('{"question": "Q", "answer": "A"}\n\n{"question": "Q"}\n', encoding="utf-8")
    with pytest.raises(ValueError, match="line 3"):
        read_items(path)
