"""A model of inference: a fake, a tiny one made here, and what is refused."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from service.errors import EntailmentMissing
from service.llm import open_entailment
from service.llm._entailment import CrossEncoderModel, LocalEntailment, load_entailment


def encoder(*labels: str) -> Any:
    """A cross-encoder that is surest of its last label."""
    rows = np.linspace(0.1, 0.9, len(labels))
    return SimpleNamespace(
        config=SimpleNamespace(id2label=dict(enumerate(labels))),
        predict=lambda pairs, **options: np.tile(rows, (len(pairs), 1)),
    )


@pytest.mark.parametrize(
    ("labels", "row"),
    [
        (("contradiction", "neutral", "entailment"), [0.9, 0.1]),
        (("ENTAILMENT", "NEUTRAL", "CONTRADICTION"), [0.1, 0.9]),
    ],
)
def test_labels_are_found_by_name(labels: tuple[str, ...], row: list[float]) -> None:
    """Models order them in every way."""
    assert CrossEncoderModel("m", encoder(*labels)).weigh([("a", "b")]).tolist() == [row]


def test_a_model_that_ranks_is_refused() -> None:
    """The error names its labels."""
    with pytest.raises(EntailmentMissing, match="label_0"):
        CrossEncoderModel("m", encoder("LABEL_0"))


def test_a_model_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """The error says what to check."""
    with pytest.raises(EntailmentMissing, match="FLAGBOOK_NLI_MODEL"):
        load_entailment(str(tmp_path / "none"))


async def test_a_model_is_loaded_once_with_the_first_pair() -> None:
    """Opening loads nothing; without a name there is none."""
    loaded = []

    def load() -> CrossEncoderModel:
        loaded.append(1)
        return CrossEncoderModel("m", encoder("entailment", "neutral", "contradiction"))

    model = LocalEntailment("m", load)
    assert loaded == []
    for _ in range(2):
        assert (await model.weigh([("a", "b"), ("c", "d")])).shape == (2, 2)
    assert loaded == [1]
    assert open_entailment(" ") is None
    assert open_entailment("m").name == "m"  # type: ignore[union-attr]


def test_a_tiny_model_made_here_is_read(tmp_path: Path) -> None:
    """The real library gives probabilities of three labels; which ones, an untrained model does not know."""
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "fee", "is", "due"]
    (tmp_path / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        id2label={0: "contradiction", 1: "entailment", 2: "neutral"},
        label2id={"contradiction": 0, "entailment": 1, "neutral": 2},
    )
    BertForSequenceClassification(config).save_pretrained(tmp_path)
    BertTokenizerFast(vocab_file=str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    weighed = load_entailment(str(tmp_path)).weigh([("the fee is due", "the fee"), ("the fee", "is due")])
    assert weighed.shape == (2, 2)
    assert ((weighed > 0) & (weighed < 1)).all()
    assert (weighed.sum(axis=1) < 1).all()
