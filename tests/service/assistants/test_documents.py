"""The embedded assistant: it answers from documents, or says that they do not."""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from flags import Case, LocalJudge, Question, Tools, clean, evaluate, sentences
from flags._fakes import WordEmbedder
from flags.relation import Relation
from service.assistants import Assistant, Kit, Reader, Space, open_assistant
from service.assistants.documents import NO_ANSWER
from service.llm import LocalEmbedder
from service.llm._sentence_model import load_sentence_model

DOCUMENTS = {
    "claims/reporting.md": """# Reporting a claim

Damage must be reported within 30 days of the day it was noticed.
The theft of a bicycle must be reported to the police within 48 hours.

## What to send

A claim needs photos of the damage and the receipts of the damaged things.
Originals are returned after the claim has been closed.
""",
    "members/fees.txt": """FEES

The annual membership fee is CHF 60. Members under the age of 25 pay half the membership fee.

A membership can be cancelled with three months' notice to the end of a year.
""",
    "german/ferien.md": """# Ferien

Alle Mitarbeitenden haben Anspruch auf 28 Ferientage pro Jahr.

Nicht bezogene Ferientage müssen bis zum 30. Juni des Folgejahres bezogen werden.

# Spesen

Bahnreisen werden in der zweiten Klasse vergütet.
""",
    "french/conges.txt": "Les employés ont droit à 28 jours de congé par an. Les repas sont remboursés à midi.",
    "italian/ferie.txt": "I dipendenti hanno diritto a 28 giorni di ferie all'anno. I pasti sono rimborsati.",
}


@pytest.fixture(scope="module")
def packaged() -> LocalEmbedder:
    """Return the packaged embedder; its thread belongs to no event loop."""
    return LocalEmbedder("packaged", lambda: load_sentence_model("packaged"))


@pytest.fixture
def company(tmp_path: Path) -> Path:
    """Return a folder of a company's documents."""
    for name, text in DOCUMENTS.items():
        path = tmp_path / "company" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "company"


@pytest.fixture
def assistant(kit: Kit, packaged: LocalEmbedder, company: Path, space: Callable[..., Space]) -> Assistant:
    """Return the assistant of all documents, with the real embedder."""
    return open_assistant(space(documents=str(company)), replace(kit, embedder=packaged))


ANSWERED = [
    ("Within how many days must damage be reported?", "Damage must be reported within 30 days", "reporting.md"),
    ("How soon must the theft of a bicycle be reported?", "to the police within 48 hours", "reporting.md"),
    ("How high is the annual membership fee?", "The annual membership fee is CHF 60.", "fees.txt"),
    ("Wie viele Ferientage haben Mitarbeitende?", "Anspruch auf 28 Ferientage pro Jahr", "ferien.md"),
    ("Wie werden Bahnreisen vergütet?", "Bahnreisen werden in der zweiten Klasse vergütet.", "ferien.md"),
    ("Combien de jours de congé les employés ont-ils par an ?", "28 jours de congé", "conges.txt"),
    ("Quanti giorni di ferie hanno i dipendenti?", "28 giorni di ferie", "ferie.txt"),
]


@pytest.mark.parametrize(("question", "words", "document"), ANSWERED)
async def test_a_question_is_answered_with_the_sentence_that_answers_it_and_its_source(
    assistant: Assistant, question: str, words: str, document: str
) -> None:
    """One sentence, one source, in four languages."""
    answer = await assistant.ask(question)
    assert words in answer.text
    assert answer.text.endswith(" [1]")
    assert len(sentences(clean(answer.text))) == 1
    assert [source.name for source in answer.sources] == [document]
    assert words.rstrip(".") in answer.sources[0].text
    assert answer.followup is False


UNANSWERED = [
    ("Are sailing boats insured on lakes?", "en"),
    ("Welche Farbe hat das Dach der Kirche?", "de"),
    ("Quelle est la couleur du toit de l'église ?", "fr"),
    ("Di che colore è il tetto della chiesa?", "it"),
]


@pytest.mark.parametrize(("question", "language"), UNANSWERED)
async def test_what_the_documents_do_not_say_is_declined_in_the_language_of_the_question(
    assistant: Assistant, packaged: LocalEmbedder, question: str, language: str
) -> None:
    """And the relation flag takes it for what it is."""
    answer = await assistant.ask(question)
    assert answer.text == NO_ANSWER[language]  # type: ignore[index]
    assert answer.sources == ()
    assert answer.passages
    tools = Tools(judge=LocalJudge(packaged), embedder=packaged)
    case = Case(question=Question(text=question, space="HR"), answer=answer)
    assert (await evaluate(case, {"relation": Relation()}, tools))["relation"].value is True


async def test_the_same_question_has_the_same_answer_whoever_asks_beside_it(assistant: Assistant) -> None:
    """Batches of other rows change nothing."""
    questions = [question for question, _, _ in ANSWERED]
    alone = [await assistant.ask(question) for question in questions]
    together = await asyncio.gather(*(assistant.ask(question) for question in reversed(questions)))
    for before, after in zip(alone, reversed(together), strict=True):
        assert (before.text, before.sources) == (after.text, after.sources)
        assert [one.name for one in before.passages] == [one.name for one in after.passages]


async def test_the_messages_tell_what_was_found_with_which_scores(assistant: Assistant, company: Path) -> None:
    """Column N is for the person who wants to know why."""
    (company / "scan.pdf").write_bytes(b"x")
    told = (await assistant.ask("How high is the annual membership fee?")).messages
    assert told["question"] == "How high is the annual membership fee?"
    assert told["model"] == "documents, packaged"
    assert told["passages"][0]["source"] == "fees.txt"
    assert told["passages"][0]["cosine"] > 0.5
    assert told["seconds"] >= 0
    assert told["notes"] == ["scan.pdf was not read: it is damaged or no pdf file (PdfStreamError)"]
    assert json.loads(json.dumps(told)) == told


async def test_modules_are_chosen_by_question_and_read_their_own_documents(
    kit: Kit, packaged: LocalEmbedder, company: Path, space: Callable[..., Space]
) -> None:
    """The module chosen is reported; one without documents reads those of the space."""
    modules = [
        {"name": "claims", "description": "Damage, theft, claims", "documents": str(company / "claims")},
        {"name": "membership", "description": "Members, fees, notice"},
    ]
    settings = {"modules": modules, "documents": str(company / "members")}
    assistant = open_assistant(space(**settings), replace(kit, embedder=packaged))
    claim = await assistant.ask("What does a claim need?")
    fee = await assistant.ask("How high is the annual membership fee?")
    assert (claim.modules, [one.name for one in claim.sources]) == (("claims",), ["reporting.md"])
    assert (fee.modules, [one.name for one in fee.sources]) == (("membership",), ["fees.txt"])
    assert fee.messages["module"]["name"] == "membership"
    await assistant.aclose()


async def test_an_answer_of_several_sentences_keeps_the_order_of_the_documents_and_cites_each(
    kit: Kit, space: Callable[..., Space], tmp_path: Path
) -> None:
    """No more sentences than allowed, none twice."""
    for name, text in (
        ("a.txt", "Lunch on a journey is paid."),
        ("b.md", "Dinner on a journey is paid\n\nDinner on a journey is paid"),
    ):
        (tmp_path / name).write_text(text)
    settings = {"documents": [str(tmp_path / "a.txt"), str(tmp_path / "b.md")]}
    both = await open_assistant(space(**settings), kit).ask("What is paid on a journey?")
    assert both.text == "Lunch on a journey is paid. [1] Dinner on a journey is paid. [2]"
    assert [source.name for source in both.sources] == ["a.txt", "b.md"]
    one = await open_assistant(space(sentences=1, **settings), kit).ask("What is paid on a journey?")
    assert one.text.count("paid") == 1


async def test_one_text_can_be_asked_about_and_is_kept_nowhere(
    kit: Kit, space: Callable[..., Space], folder: Path
) -> None:
    """A needle in a long text is found by retrieval; where nothing fits, that is the answer; no index is written."""
    assistant = open_assistant(space(documents=str(folder)), kit)
    assert isinstance(assistant, Reader)
    filler = "\n\n".join(f"Paragraph number {number} tells of boats and of the weather." for number in range(300))
    document = f"{filler}\n\nThe charge reserve of Korarax II is 190.92.\n\n{filler}"
    found = await assistant.ask_about("What is the charge reserve of Korarax II?", document)
    assert found.text == "The charge reserve of Korarax II is 190.92."
    assert [source.name for source in found.sources] == ["document"]
    lost = await assistant.ask_about("Qwzx yvkj?", filler)
    assert lost.text == "The documents contain no answer to this question."
    assert not list(kit.index_folder.glob("*.npz"))
    await assistant.aclose()


class CountingEmbedder(WordEmbedder):
    """Keeps how many texts it was given."""

    texts = 0

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed and count."""
        self.texts += len(texts)
        return await super().embed(texts)


@pytest.mark.parametrize("filled", [100, 4000])
async def test_a_long_text_costs_no_more_embeddings_than_a_short_one(
    kit: Kit, space: Callable[..., Space], folder: Path, filled: int
) -> None:
    """Its passages are chosen by their words first; a question whose words stand nowhere is compared with all."""
    embedder = CountingEmbedder()
    assistant = open_assistant(space(documents=str(folder)), replace(kit, embedder=embedder))
    assert isinstance(assistant, Reader)
    filler = "\n\n".join(f"In year {number} {'boats sailed in fair weather, ' * 20}." for number in range(filled))
    document = f"{filler}\n\nThe charge reserve of Korarax II is 190.92.\n\n{filler}"
    found = await assistant.ask_about("What is the charge reserve of Korarax II?", document)
    assert found.text == "The charge reserve of Korarax II is 190.92."
    assert embedder.texts < 40
    if filled == 100:
        await assistant.ask_about("Qwzx yvkj?", document)
        assert embedder.texts > 200
