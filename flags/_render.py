"""The judge's prompt: a rubric filled with a case, untrusted texts inside a fence."""

from functools import cache, lru_cache

from jinja2 import StrictUndefined, Template
from jinja2.sandbox import ImmutableSandboxedEnvironment

from flags._case import Case, Source
from flags._clean import answer_of, reference_of
from flags._evidence import evidence
from flags._flag import Rubric
from flags._local._language import Language, stopwords
from flags._local._words import words

_NAMES: dict[Language, str] = {"en": "English", "de": "German", "fr": "French", "it": "Italian"}


def render(rubric: Rubric, case: Case, fence: str) -> str:
    """Return the prompt for one rubric and case.

    `fence` is a marker nobody can guess, new for every call. The template sees `question`, `reference`, `answer` and
    `sources` only as texts that already stand inside the fence, so that no rubric can forget it; and `language`, the
    English name of the answer's where it is clearly one of four, else "". Raises `ValueError` for a fence too short to
    be unguessable.
    """
    if len(fence) < 8:
        raise ValueError("a fence needs at least 8 random characters")
    reference = reference_of(case)
    return _template(rubric.template).render(
        fence=fence,
        language=_language(answer_of(case)),
        question=_fenced(fence, "question", case.question.text),
        reference=_fenced(fence, "reference", reference) if reference else "",
        answer=_fenced(fence, "answer", answer_of(case)),
        sources="\n".join(
            _fenced(fence, f"source {n}", _passage(source)) for n, source in enumerate(evidence(case), 1)
        ),
    )


@cache
def _environment() -> ImmutableSandboxedEnvironment:
    return ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )


@cache
def _template(text: str) -> Template:
    # There are a handful of rubrics; compiling one takes longer than all else that is done for a call.
    return _environment().from_string(text)


@lru_cache(maxsize=512)  # every rubric of a row is about the same answer, and is rendered more than once
def _language(text: str) -> str:
    found = words(text)
    counts = {name: sum(word in stopwords(language) for word in found) for language, name in _NAMES.items()}
    second, first = sorted(counts.values())[-2:]
    return max(counts, key=counts.__getitem__) if first > max(second, 1) else ""


def _fenced(fence: str, title: str, text: str) -> str:
    """Return the text between two fence lines; a fence inside the text cannot close it."""
    return f"<<{fence} {title}>>\n{text.replace(fence, '…')}\n<</{fence}>>"


def _passage(source: Source) -> str:
    return f"{source.name}\n{source.text}" if source.name else source.text
