"""The texts an answer must rest on."""

from collections.abc import Callable

from flags import Case, Source, evidence
from flags._evidence import without_text

PASSAGES = (
    Source(name="A.pdf", pages="1", text="a one"),
    Source(name="a.pdf", pages="2", text="a two"),
    Source(name="B.pdf", text="b"),
    Source(name="C.pdf"),
)


def texts(case: Case) -> list[str]:
    """Return the texts of the evidence."""
    return [source.text for source in evidence(case)]


def test_referenced_sources_speak_for_themselves(make_case: Callable[..., Case]) -> None:
    """What was retrieved but not referenced does not support the answer."""
    assert texts(make_case("", "x", sources=(Source(name="Z", text="z"),), passages=PASSAGES)) == ["z"]


def test_a_reference_without_text_takes_its_documents_passages(make_case: Callable[..., Case]) -> None:
    """Assistants that cite by name still deliver the passages they read; each counts once."""
    cited = (Source(name="A", pages="2"), Source(name="A"))
    assert texts(make_case("", "x", sources=cited, passages=PASSAGES)) == ["a one", "a two"]


def test_without_references_the_passages_count(make_case: Callable[..., Case]) -> None:
    """Also where nothing is known of what is referenced."""
    assert texts(make_case("", "x", passages=PASSAGES)) == ["a one", "a two", "b"]
    unknown = make_case("", "x", sources=(Source(name="Unknown"),), passages=PASSAGES)
    assert texts(unknown) == ["a one", "a two", "b"]
    assert [source.name for source in without_text(unknown)] == ["Unknown"]


def test_nothing_known_is_no_evidence(make_case: Callable[..., Case]) -> None:
    """Names alone support nothing."""
    assert evidence(make_case("", "x", sources=(Source(name="A"),), passages=(Source(name="B", text=" "),))) == ()
