"""Flags found and set."""

import pytest

from flags import FlagsMisconfigured, discover
from flags.embedding import Embedding
from flags.extent import Extent
from flags.final import Final

EVERY = ["contradiction", "embedding", "extent", "hallucination", "module", "relation", "source", "final"]


def test_every_public_module_is_a_flag_and_final_comes_last() -> None:
    """`ls` is the list."""
    assert list(discover()) == EVERY


def test_settings_reach_their_flag() -> None:
    """Numbers, switches and lists are taken as YAML and JSON give them; no settings are the defaults."""
    flags = discover(
        {"embedding": {"threshold": 1}, "extent": {"only_missing": True}, "final": {"counts": ["extent"]}, "source": {}}
    )
    assert flags["embedding"] == Embedding(threshold=1)
    assert flags["extent"] == Extent(only_missing=True)
    assert flags["final"] == Final(counts=("extent",))
    assert discover({"final": {"counts": None}})["final"] == Final()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"contradicton": {}}, "no flag “contradicton”. Did you mean “contradiction”?"),
        ({"xyz": {}}, "no flag “xyz”. There are: contradiction, embedding"),
        ({"embedding": {"treshold": 1}}, "no setting “treshold” of the flag “embedding”. Did you mean “threshold”?"),
        ({"module": {"strict": True}}, "no setting “strict” of the flag “module”. There are: none."),
        ({"embedding": {"threshold": "0.9"}}, "embedding.threshold is a number, not '0.9'."),
        ({"embedding": {"threshold": True}}, "embedding.threshold is a number, not True."),
        ({"embedding": {"threshold": 92}}, "between -1 and 1, not 92"),
        ({"extent": {"only_missing": 1}}, "extent.only_missing is true or false, not 1."),
        ({"final": {"counts": "extent"}}, "final.counts is a list of names, not 'extent'."),
        ({"final": {"counts": ["extend"]}}, "no flag “extend” in final.counts. Did you mean “extent”?"),
        ({"final": {"counts": ["final"]}}, "no flag “final” in final.counts."),
        ({"final": {"counts": []}}, "at least one must count"),
    ],
)
def test_a_wrong_setting_is_named_with_the_nearest_right_one(
    settings: dict[str, dict[str, object]], message: str
) -> None:
    """A typing error must not silently leave a default in place."""
    with pytest.raises(FlagsMisconfigured) as refused:
        discover(settings)
    assert message in str(refused.value)
