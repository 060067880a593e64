"""The local judge on hand-made answers in four languages."""

from collections.abc import Awaitable, Callable

import pytest

from flags import Case, JudgeFailed, LocalJudge, Rubric, Source, Tools, Verdict, discover, evaluate
from flags._fakes import WordEmbedder

JudgeLocally = Callable[..., Awaitable[dict[str, Verdict]]]

EQUIVALENT = [
    (
        "What is the hotel limit?",
        "The hotel limit is CHF 1,200.50 per trip.",
        "Per trip, hotels may cost up to the limit of CHF 1'200.50.",
    ),
    (
        "How long is the notice period?",
        "The notice period is three months. Notice must be given in writing.",
        "Notice must be given in writing, and the notice period is 3 months [1].",
    ),
    ("When does it start?", "The contract starts on 12 July 2024 at 9 am.", "Start of the contract: 12.07.2024, 9:00."),
    ("May employees work from home?", "Yes, two days a week.", "Yes, employees may work from home 2 days per week."),
    (
        "By when?",
        "Expenses are due within 30 days, not later than the end of the quarter.",
        "Within 30 days and no later than the end of the quarter, expenses are due.",
    ),
    ("Is approval needed?", "Approval is not mandatory below CHF 500.", "Below CHF 500, approval is optional."),
    ("Is it legal?", "Recording people is legal.", "Recording people is not illegal."),
    ("What rose?", "Revenue rose while costs fell.", "Costs fell and revenue rose."),
    (
        "How many?",
        "About 5,000 people work for the company.",
        "4,950 people work for the company today, rounded up to 5,000.",
    ),
    (
        "Wann tritt der Vertrag in Kraft?",
        "Der Vertrag tritt am 12. Juli 2024 in Kraft. Die Laufzeit beträgt drei Jahre.",
        "Die Laufzeit beträgt 3 Jahre. In Kraft tritt der Vertrag am 12.07.2024.",
    ),
    (
        "Wie hoch ist die Gebühr?",
        "Die Gebühr beträgt 1.200,50 Euro, nicht nur im ersten Jahr, sondern auch später.",
        "Später wie im ersten Jahr beträgt die Gebühr € 1'200.50.",
    ),
    (
        "Quel est le délai ?",
        "Le délai de recours est de 30 jours, pas plus de deux mois.",
        "Le recours a un délai de trente jours, maximum 2 mois.",
    ),
    (
        "Qual è la commissione?",
        "La commissione è di 1.200,50 euro, pari al 2,5 %.",
        "La commissione, pari al 2.5%, è di € 1'200.50.",
    ),
]

CONTRADICTING = [
    (
        "What is the hotel limit?",
        "The hotel limit is CHF 200 per night.",
        "The hotel limit is CHF 250 per night.",
        "CHF 200",
        "CHF 250",
    ),
    (
        "What is the hotel limit?",
        "The hotel limit is CHF 200 per night.",
        "You may spend up to CHF 250 a night on hotels.",
        "CHF 200",
        "CHF 250",
    ),
    ("How long?", "The period is 30 days.", "The period is 30 hours.", "30 days", "30 hours"),
    (
        "When is it open?",
        "The office is open from 9:00 to 17:00.",
        "The office is open from 8 am to 5 pm.",
        "9:00",
        "8 am",
    ),
    (
        "Is approval required?",
        "Approval is required for trips abroad.",
        "Approval isn't required for trips abroad.",
        "Approval is required",
        "Approval is not required",
    ),
    ("How did revenue develop?", "Revenue rose by 5% in 2023.", "Revenue fell by 5% in 2023.", "rose", "fell"),
    ("When?", "File the form before departure.", "File the form after departure.", "before", "after"),
    (
        "When is the meeting?",
        "The meeting takes place every Monday.",
        "The meeting takes place every Tuesday.",
        "monday",
        "tuesday",
    ),
    (
        "Is it legal?",
        "Recording people is legal.",
        "Recording people is illegal.",
        "Recording people is legal",
        "Recording people is illegal",
    ),
    ("Can I carry over holidays?", "Yes, up to five days.", "No, holidays lapse.", "Yes", "No"),
    (
        "Who approves invoices?",
        "Invoices above CHF 10,000 are approved by Anna Keller.",
        "Invoices above CHF 10,000 are approved by Peter Huber.",
        "Anna Keller",
        "Peter Huber",
    ),
    (
        "What do tickets cost?",
        "Adults pay 20 francs, children 10 francs.",
        "It depends on age: the museum charges 25 francs for adults; entry at 10 francs is for children.",
        "20 francs",
        "25 francs",
    ),
    ("Which form?", "Please use the form XK-7 for it.", "Please use the form XK-9 for it.", "XK-7", "XK-9"),
    ("How many stages?", "The procedure has 4 stages.", "There are 5 stages in the procedure overall.", "4", "5"),
    (
        "Wie lange ist die Kündigungsfrist?",
        "Die Kündigungsfrist beträgt drei Monate.",
        "Die Kündigungsfrist beträgt zwei Monate.",
        "drei Monate",
        "zwei Monate",
    ),
    (
        "Wann endet das Projekt?",
        "Das Projekt endet am 31. März 2025.",
        "Das Projekt endet am 30.06.2025.",
        "31. März 2025",
        "30.06.2025",
    ),
    (
        "Ist eine Genehmigung nötig?",
        "Für Auslandsreisen ist eine Genehmigung nötig.",
        "Für Auslandsreisen ist keine Genehmigung nötig.",
        "Genehmigung",
        "keine Genehmigung",
    ),
    ("Wie entwickelte sich der Umsatz?", "Der Umsatz stieg um 5 %.", "Der Umsatz sank um 5 %.", "stieg", "sank"),
    (
        "L'accord est-il nécessaire ?",
        "Le voyage nécessite l'accord du supérieur.",
        "Le voyage ne nécessite pas l'accord du supérieur.",
        "nécessite",
        "ne nécessite pas",
    ),
    (
        "Comment ont évolué les coûts ?",
        "Les coûts ont augmenté en 2023.",
        "Les coûts ont diminué en 2023.",
        "augmenté",
        "diminué",
    ),
    (
        "Serve l'approvazione?",
        "Il viaggio richiede l'approvazione.",
        "Il viaggio non richiede l'approvazione.",
        "richiede",
        "non richiede",
    ),
    ("Quanto costa?", "Il corso costa 200 franchi.", "Il corso costa 300 franchi.", "200 franchi", "300 franchi"),
]

MISSING = [
    (
        "What does the fee cover?",
        "The fee covers maintenance, insurance and assistance. Tyres are included up to CHF 400.",
        "The fee covers maintenance.",
        "Tyres",
    ),
    ("What is the fee?", "The fee is 2 % with a minimum of CHF 50.", "The fee is 2 %.", "CHF 50"),
    (
        "Welche Unterlagen brauche ich?",
        "Sie brauchen einen Ausweis. Selbstständige reichen zwei Jahresabschlüsse ein.",
        "Sie brauchen einen Ausweis.",
        "Jahresabschlüsse",
    ),
    (
        "Quels documents ?",
        "Il faut un passeport. Les indépendants ajoutent deux bilans annuels.",
        "Il faut un passeport.",
        "bilans",
    ),
    (
        "Quali documenti?",
        "Serve un passaporto. Gli indipendenti allegano due bilanci annuali.",
        "Serve un passaporto.",
        "bilanci",
    ),
]

EXTRA = [
    (
        "Welche Frist gilt?",
        "Die Frist beträgt 30 Tage.",
        "Die Frist beträgt 30 Tage. Die Frist beginnt mit der Zustellung der Verfügung. Bei versäumter Frist gilt: "
        "innert 10 Tagen ein Gesuch um Wiederherstellung stellen, sofern ein Hindernis bestand. Vom 15. Juli bis "
        "15. August steht die Frist still.",
        "Wiederherstellung",
    ),
    (
        "Who may apply?",
        "Members may apply.",
        "Members may apply. Employees may apply after two years of service with written consent of their department. "
        "Partners may apply when they hold more than 25% of the shares for at least 12 months before the date.",
        "Partners",
    ),
]

DECLINING = [
    (
        "What is the hotel limit?",
        "The hotel limit is CHF 200.",
        "I'm sorry, but I could not find any information about the hotel limit in the documents.",
    ),
    (
        "What is the hotel limit?",
        "The hotel limit is CHF 200.",
        "The documents do not mention a hotel limit. Please contact HR.",
    ),
    ("What is the hotel limit?", "", "There is no information on the hotel limit in the sources."),
    ("What is the hotel limit?", "The hotel limit is CHF 200.", "As an AI, I cannot help with this question."),
    (
        "Wie hoch ist das Limit?",
        "Das Limit beträgt CHF 200.",
        "Leider konnte ich in den Dokumenten keine Informationen zum Limit finden. Bitte wenden Sie sich an die "
        "Personalabteilung.",
    ),
    ("Wie hoch ist das Limit?", "", "Dazu liegen keine Angaben vor."),
    (
        "Quelle est la limite ?",
        "La limite est de CHF 200.",
        "Je n'ai trouvé aucune information sur la limite dans les documents.",
    ),
    ("Qual è il limite?", "Il limite è di CHF 200.", "Non ho trovato informazioni sul limite nei documenti."),
]

ASKING = [
    ("What is the limit?", "The limit is CHF 200.", "Could you please specify which country you mean?"),
    ("Wie hoch ist das Limit?", "", "Gerne! Um welche Region geht es?"),
    ("Quelle est la limite ?", "", "De quel pays s'agit-il ?"),
    ("Qual è il limite?", "", "A quale paese si riferisce?"),
]


@pytest.mark.parametrize(("question", "reference", "answer"), EQUIVALENT)
async def test_another_wording_or_notation_is_no_deviation(
    question: str, reference: str, answer: str, judge_locally: JudgeLocally
) -> None:
    """Rephrased, reordered and rewritten numbers and dates are the same answer."""
    verdicts = await judge_locally(reference, answer, question)
    assert {name: verdicts[name].value for name in ("contradiction", "extent", "relation")} == {
        "contradiction": False,
        "extent": False,
        "relation": False,
    }


@pytest.mark.parametrize(("question", "reference", "answer", "mine", "theirs"), CONTRADICTING)
async def test_a_contradiction_quotes_both_sides(
    question: str, reference: str, answer: str, mine: str, theirs: str, judge_locally: JudgeLocally
) -> None:
    """What differs is named from the reference and from the answer, and is not called missing as well."""
    verdicts = await judge_locally(reference, answer, question)
    assert verdicts["contradiction"].value is True
    assert mine in verdicts["contradiction"].reason
    assert theirs in verdicts["contradiction"].reason
    assert verdicts["relation"].value is False


@pytest.mark.parametrize(("question", "reference", "answer", "quote"), MISSING)
async def test_missing_content_is_quoted(
    question: str, reference: str, answer: str, quote: str, judge_locally: JudgeLocally
) -> None:
    """The direction comes first, then the sentence of the reference; what is only missing contradicts nothing."""
    verdicts = await judge_locally(reference, answer, question)
    assert verdicts["extent"].value is True
    assert verdicts["extent"].reason.startswith("missing: ")
    assert quote in verdicts["extent"].reason
    assert verdicts["contradiction"].value is False


@pytest.mark.parametrize(("question", "reference", "answer", "quote"), EXTRA)
async def test_an_answer_that_goes_much_further_is_flagged(
    question: str, reference: str, answer: str, quote: str, judge_locally: JudgeLocally
) -> None:
    """Extra content is named; with `only_missing` it is no deviation."""
    verdicts = await judge_locally(reference, answer, question)
    assert verdicts["extent"].value is True
    assert verdicts["extent"].reason.startswith("extra: ")
    assert quote in verdicts["extent"].reason
    lenient = await judge_locally(reference, answer, question, extent={"only_missing": True})
    assert lenient["extent"].value is False


async def test_missing_and_extra_at_once(judge_locally: JudgeLocally) -> None:
    """An answer to half of the question with much beside it lacks and adds."""
    question, reference, answer = EXTRA[1][:3]
    more = f"{reference} Guests sign in at the northern reception desk."
    verdict = (await judge_locally(more, answer, question))["extent"]
    assert verdict.reason.startswith("missing and extra: ")


async def test_working_around_a_short_fact_is_no_extent(judge_locally: JudgeLocally) -> None:
    """A short reference is met by a longer answer that leads to the same fact."""
    answer = "Certainly! The hotel limit follows from the travel rules. It is CHF 200 per night. Let me know what else."
    assert (await judge_locally("CHF 200", answer, "What is the hotel limit?"))["extent"].value is False


@pytest.mark.parametrize(("question", "reference", "answer"), DECLINING)
async def test_a_refusal_does_not_answer(
    question: str, reference: str, answer: str, judge_locally: JudgeLocally
) -> None:
    """It lacks what the reference says and contradicts nothing."""
    verdicts = await judge_locally(reference, answer, question)
    assert verdicts["relation"].value is True
    assert "“" in verdicts["relation"].reason
    assert verdicts["contradiction"].value is not True
    assert (verdicts["extent"].status == "skipped") is (not reference)
    assert verdicts["extent"].reason.startswith("missing: " if reference else "no benchmark answer")


@pytest.mark.parametrize(("question", "reference", "answer"), ASKING)
async def test_a_question_back_does_not_answer(
    question: str, reference: str, answer: str, judge_locally: JudgeLocally
) -> None:
    """Courtesy around it changes nothing."""
    assert (await judge_locally(reference, answer, question))["relation"].value is True


async def test_where_the_reference_finds_nothing_finding_nothing_is_right(judge_locally: JudgeLocally) -> None:
    """The same refusal is no deviation; an answer where none was expected says more."""
    question, reference = "What is the CEO's salary?", "The documents do not contain information about the salary."
    same = await judge_locally(reference, "I could not find information on the salary of the CEO.", question)
    assert [same[name].value for name in ("contradiction", "extent", "relation")] == [False, False, False]
    told = await judge_locally(reference, "The salary of the CEO is CHF 900,000.", question)
    assert told["extent"].reason.startswith("extra: ")
    assert told["relation"].value is False


async def test_a_partial_answer_with_a_caveat_is_no_refusal(judge_locally: JudgeLocally) -> None:
    """Declining one half and answering the other answers."""
    answer = (
        "I could not find information on flights. For hotels the handbook sets CHF 200 per night, and CHF 50 for meals."
    )
    assert (await judge_locally("", answer, "What may flights and hotels cost?"))["relation"].value is False


@pytest.mark.parametrize(
    ("question", "stated", "denied"),
    [
        (
            "Are electric bicycles that assist above 25 km/h covered?",
            "Electric bicycles that assist above 25 km/h are covered by the policy.",
            "No, electric bicycles that assist above 25 km/h are not covered by the policy.",
        ),
        (
            "Are results in Spanish included in the price?",
            "Results in Spanish are included in the price.",
            "Results in Spanish are not included in the price.",
        ),
        (
            "Sind die Daten der Kunden in der Sicherung enthalten?",
            "Die Daten der Kunden sind in der Sicherung enthalten.",
            "Nein, die Daten der Kunden sind in der Sicherung nicht enthalten.",
        ),
    ],
)
async def test_a_denial_in_the_words_of_the_question_is_no_refusal(
    question: str, stated: str, denied: str, judge_locally: JudgeLocally
) -> None:
    """Documents that are asked for are the matter itself: who denies it contradicts who states it."""
    for reference, answer in ((stated, denied), (denied, stated)):
        verdicts = await judge_locally(reference, answer, question)
        assert verdicts["contradiction"].value is True
        assert [verdicts["extent"].value, verdicts["relation"].value] == [False, False]


async def test_a_refusal_may_repeat_the_words_of_the_question(judge_locally: JudgeLocally) -> None:
    """It speaks of answering more often than the question does; what an answer adds to it is quoted in full."""
    question = "Which information is needed?"
    refusal = "There is no information on which information is needed."
    verdicts = await judge_locally(refusal, "Information is needed.", question)
    assert verdicts["extent"].reason == "extra: Only the answer says “Information is needed.”."


async def test_an_answer_about_something_else_is_off_topic(judge_locally: JudgeLocally) -> None:
    """No common word and no likeness in meaning; with a common word the benefit of the doubt."""
    answer = (
        "Photosynthesis converts sunlight into chemical energy stored in glucose molecules inside green chloroplasts."
    )
    question = "What is the hotel limit for business trips?"
    verdict = (await judge_locally("", answer, question))["relation"]
    assert verdict.value is True
    assert "Photosynthesis" in verdict.reason
    assert (await judge_locally("", f"{answer} Hotels!", f"{question} Hotels?"))["relation"].value is False


SUPPORT = [
    (
        "The hotel limit is CHF 200 per night and breakfast is included.",
        "The limit for a hotel is CHF 200 per night.",
        False,
        "",
    ),
    (
        "The hotel limit is CHF 200 per night and breakfast is included.",
        "The hotel limit is CHF 250 per night.",
        True,
        "CHF 250",
    ),
    (
        "The hotel limit is CHF 200 per night. Breakfast is included.",
        "The hotel limit is CHF 200 per night. Employees may also rent luxury cars during their weekend holidays.",
        True,
        "luxury cars",
    ),
    ("Managers of the Union Bank decide. Ask Anna Keller.", "The UB decides, says Peter Huber.", True, "Peter Huber"),
    (
        "Approval is required for trips abroad in every case.",
        "Approval is not required for trips abroad in every case.",
        True,
        "not required",
    ),
    (
        "Das Limit beträgt CHF 200 pro Nacht. Frühstück ist inbegriffen.",
        "Das Limit beträgt 200 Franken pro Nacht.",
        False,
        "",
    ),
    (
        "Das Limit beträgt CHF 200 pro Nacht.",
        "Das Limit beträgt 200 Franken pro Nacht und gilt ab 1. Mai 2024.",
        True,
        "1. Mai 2024",
    ),
    ("La limite est de CHF 200 par nuit.", "La limite est de 200 francs par nuit pour 3 personnes.", True, "3"),
    ("Il limite è di CHF 200 per notte.", "Il limite è di 200 franchi per notte.", False, ""),
    (
        "The hotel limit is CHF 200 per night, and it is the same for all.",
        "Das Limit für ein Hotel beträgt 200 Franken pro Nacht, wie Frau Keller sagt, und es ist für alle gleich.",
        False,
        "",
    ),
    (
        "The hotel limit is CHF 200 per night, and it is the same for all.",
        "Das Limit für ein Hotel beträgt 300 Franken pro Nacht, und es ist für alle gleich.",
        True,
        "300 Franken",
    ),
    ("Nothing of it.", "I could not find any information. Is there anything else?", False, ""),
]


@pytest.mark.parametrize(("source", "answer", "value", "quote"), SUPPORT)
async def test_what_no_source_says_is_quoted(
    source: str, answer: str, value: bool, quote: str, judge_locally: JudgeLocally
) -> None:
    """Numbers, dates and names must stand in the sources in any notation, words for the most part."""
    verdict = (await judge_locally("", answer, "What is the limit?", source))["hallucination"]
    assert verdict.value is value
    assert quote in verdict.reason


async def test_support_has_three_degrees(judge_locally: JudgeLocally) -> None:
    """Partly where something is supported, not where nothing is; what the question says needs no support."""
    source = "The hotel limit is CHF 200 per night. Breakfast is included in every hotel price."
    good, bad = "The hotel limit is CHF 200 per night.", "Luxury cars cost CHF 900 during weekend holidays."
    question = "What is the limit in 2026?"
    reasons = [
        (await judge_locally("", answer, question, source))["hallucination"].reason
        for answer in (f"In 2026: {good}", f"{good} {bad}", bad)
    ]
    assert reasons[0] == "The sources support what the answer says."
    assert reasons[1].startswith("partially supported: ")
    assert reasons[2].startswith("not supported: ")


@pytest.mark.parametrize(
    ("reference", "answer", "reason"),
    [
        (
            "The fee is CHF 5.",
            "The fee is CHF 6.",
            "The reference says “CHF 5” (in “The fee is CHF 5.”), the answer “CHF 6”",
        ),
        ("Die Gebühr ist CHF 5.", "Die Gebühr ist CHF 6.", "Die Referenz sagt “CHF 5”"),
        ("Les frais sont de CHF 5.", "Les frais sont de CHF 6.", "La référence dit “CHF 5” (dans “Les frais"),
        ("La spesa è di CHF 5.", "La spesa è di CHF 6.", "Il riferimento dice “CHF 5”"),
    ],
)
async def test_reasons_are_written_in_the_language_of_the_answer(
    reference: str, answer: str, reason: str, judge_locally: JudgeLocally
) -> None:
    """Whatever the question's language is."""
    assert (await judge_locally(reference, answer, "?"))["contradiction"].reason.startswith(reason)


async def test_a_long_quotation_is_cut_and_many_are_counted(judge_locally: JudgeLocally) -> None:
    """Reasons are short to check."""
    long = f"Catering orders {', '.join(letter * 9 for letter in 'bcdfghjklmnpqrst')} every week."
    reference = f"Members may apply. {long} " + " ".join(
        f"Department {n} pays with cheque {n}{n}." for n in range(2, 8)
    )
    reason = (await judge_locally(reference, "Members may apply.", "Who may apply?"))["extent"].reason
    assert "…”" in reason
    assert "(+4)" in reason
    assert len(reason) < 500


async def test_extent_across_languages_is_left_to_a_person(judge_locally: JudgeLocally) -> None:
    """Rules on words cannot compare two languages the embedder does not bridge; numbers are compared all the same."""
    verdicts = await judge_locally(
        "The notice period is three months and it must be given in writing by the tenant.",
        "Die Kündigung muss schriftlich sein und die Frist beträgt 4 Monate für den Mieter.",
        "What is the notice period?",
    )
    assert (verdicts["extent"].status, verdicts["extent"].code) == ("failed", "judge_cannot_tell")
    assert "(en)" in verdicts["extent"].reason
    assert verdicts["final"].value is True


async def test_a_rubric_without_rules_is_a_failure(make_case: Callable[..., Case]) -> None:
    """A flag of one's own needs a judge that can read."""
    rubric = Rubric(name="tone", template="", fields=())
    with pytest.raises(JudgeFailed) as failed:
        await LocalJudge(WordEmbedder()).decide(rubric, make_case("a", "b"))
    assert failed.value.code == "judge_unable"


async def test_sentences_of_a_case_are_embedded_once(make_case: Callable[..., Case]) -> None:
    """Contradiction and extent share one call for the sentences; near copies need none."""

    class Counting(WordEmbedder):
        calls = 0

        async def embed(self, texts):  # type: ignore[no-untyped-def]
            Counting.calls += 1
            return await super().embed(texts)

    tools = Tools(judge=LocalJudge(Counting()), embedder=WordEmbedder())
    flags = discover()
    case = make_case("The limit is high for hotels.", "Rooms cost plenty.", sources=(Source(name="A", text="x"),))
    await evaluate(case, flags, tools)
    assert Counting.calls == 1
    await evaluate(make_case("The limit is high.", "The limit is high!"), flags, tools)
    assert Counting.calls == 1
