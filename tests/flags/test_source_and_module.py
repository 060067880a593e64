"""The benchmark's sources and modules, used again or not."""

from collections.abc import Callable

import pytest

from flags import Case, Tools, parse_sources
from flags.module import Module
from flags.source import SourceFlag

MakeCase = Callable[..., Case]
MakeTools = Callable[..., Tools]


@pytest.mark.parametrize(
    ("benchmark", "new", "value", "reason"),
    [
        ("A.pdf : 3", "[1] a.PDF : 7\n[2] B.pdf", False, ""),
        ("A.pdf\nB.pdf", "B.pdf", True, "missing: A.pdf"),
        ("A.pdf; B.pdf; A.pdf : 2", "", True, "missing: A.pdf, B.pdf"),
    ],
)
async def test_a_missing_benchmark_document_is_flagged(
    benchmark: str, new: str, value: bool, reason: str, make_case: MakeCase, scripted: MakeTools
) -> None:
    """Documents count, not pages; extra ones are fine; the reason names the missing ones."""
    case = make_case("a", "b", reference_sources=parse_sources(benchmark), sources=parse_sources(new))
    verdict = await SourceFlag()(case, scripted())
    assert (verdict.value, verdict.reason) == (value, reason)


async def test_without_benchmark_sources_there_is_nothing_to_miss(make_case: MakeCase, scripted: MakeTools) -> None:
    """Column F is optional."""
    verdict = await SourceFlag()(make_case("a", "b", sources=parse_sources("A")), scripted())
    assert (verdict.status, verdict.reason) == ("skipped", "no benchmark sources")


@pytest.mark.parametrize(
    ("benchmark", "new", "value", "reason"),
    [
        (("search",), ("Search ", "translate"), False, ""),
        (("search", "upload"), ("translate",), True, "translate instead of search, upload"),
    ],
)
async def test_modules_that_share_none_are_flagged(
    benchmark: tuple[str, ...], new: tuple[str, ...], value: bool, reason: str, make_case: MakeCase, scripted: MakeTools
) -> None:
    """One in common is enough, whatever its case."""
    verdict = await Module()(make_case("a", "b", reference_modules=benchmark, modules=new), scripted())
    assert (verdict.value, verdict.reason) == (value, reason)


@pytest.mark.parametrize(("benchmark", "new"), [((), ("x",)), (("x",), ()), ((" ",), ("x",)), ((), ())])
async def test_modules_must_be_known_on_both_sides(
    benchmark: tuple[str, ...], new: tuple[str, ...], make_case: MakeCase, scripted: MakeTools
) -> None:
    """An assistant that names no module has not chosen another."""
    verdict = await Module()(make_case("a", "b", reference_modules=benchmark, modules=new), scripted())
    assert verdict.status == "skipped"
