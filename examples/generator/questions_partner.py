"""The rows of Partner Bot, another system whose answers are scripted, and of a space that does not exist."""

from examples.generator.row import PARTNER, UNKNOWN, Row, Script, flags
from examples.generator.world import World

FACTS, TARIFF, LETTER = "partner-facts.pdf", "tariff-sheet.pdf", "partner-letter.docx"
SEARCH, QUOTE = ("search",), ("quote",)


def rows(w: World) -> tuple[Row, ...]:
    """Return the questions to Partner Bot, and the one to nobody."""
    return (*_unchanged(w), *_drifted(w), *_invented(w), _nobody())


def _unchanged(w: World) -> tuple[Row, ...]:
    hours = f"The partner office in {w.town} is open from 8 to 17 o'clock on working days."
    payout = f"Commissions are paid to the partners on day {w.claim_days} of every month."
    return (
        Row(
            space=PARTNER,
            why="word for word the same",
            question="When is the partner office open?",
            reference=hours,
            sources=(FACTS,),
            modules=SEARCH,
            script=Script(answer=hours, sources=((FACTS, hours),), modules=SEARCH),
        ),
        Row(
            space=PARTNER,
            why="said otherwise: similarity alone is below its threshold, and does not count in this space",
            question="When are commissions paid to the partners?",
            reference=f"Partners get their money once a month, always on day {w.claim_days}.",
            sources=(FACTS,),
            modules=SEARCH,
            script=Script(answer=payout, sources=((FACTS, payout),), modules=SEARCH),
            true=flags("embedding"),
        ),
    )


def _drifted(w: World) -> tuple[Row, ...]:
    notice = f"A partner contract can be cancelled with {w.notice_months} months' notice."
    before = f"A partner contract can be cancelled with {w.notice_months + 6} months' notice."
    premium = f"The annual premium of the {w.travel} travel policy is CHF {w.fee + 120}."
    weather = f"The general meeting in {w.town} ends with a concert of the village choir."
    return (
        Row(
            space=PARTNER,
            why="a changed number in the same words: similarity does not see it",
            question="With how many months' notice can a partner contract be cancelled?",
            reference=before,
            sources=(FACTS,),
            modules=SEARCH,
            script=Script(answer=notice, sources=((FACTS, notice),), modules=SEARCH),
            true=flags("contradiction final"),
        ),
        Row(
            space=PARTNER,
            why="another module: the premium was worked out by the module for quotes",
            question=f"What is the annual premium of the {w.travel} travel policy?",
            reference=premium,
            sources=(TARIFF,),
            modules=QUOTE,
            script=Script(answer=premium, sources=((TARIFF, premium),), modules=SEARCH),
            true=flags("module final"),
        ),
        Row(
            space=PARTNER,
            why="off topic: an answer to another question",
            question="Which documents does a new partner have to hand in?",
            reference="A new partner has to hand in an extract from the criminal register and a copy of the diploma.",
            sources=(FACTS,),
            modules=SEARCH,
            script=Script(answer=weather, sources=((FACTS, weather),), modules=SEARCH),
            true=flags("embedding extent relation final"),
        ),
    )


def _invented(w: World) -> tuple[Row, ...]:
    rate = f"Partners receive a commission of {w.dividend} percent of the first annual premium."
    course = "New partners attend an introduction of {} days in {} before they sell their first policy."
    return (
        Row(
            space=PARTNER,
            why="an invented fact beside a true one",
            question="What commission do partners receive?",
            reference=rate,
            sources=(TARIFF,),
            modules=SEARCH,
            script=Script(
                answer=f"{rate} The rate was set by the poet {w.head_of_claims} during a balloon flight.",
                sources=((TARIFF, rate),),
                modules=SEARCH,
            ),
            true=flags("embedding hallucination final"),
        ),
        Row(
            space=PARTNER,
            why="an invented number: the source says two days",
            question="How many days does the introduction for new partners take?",
            reference=course.format("two", w.town),
            sources=(FACTS,),
            modules=SEARCH,
            script=Script(
                answer=course.format("nine", w.town),
                sources=((FACTS, course.format("two", w.town)),),
                modules=SEARCH,
            ),
            true=flags("contradiction hallucination final"),
        ),
    )


def _nobody() -> Row:
    return Row(
        space=UNKNOWN,
        why="a space that does not exist: not asked, counted as not judged",
        question="Who may sign a contract?",
        reference="Two members of the board sign jointly.",
        sources=("signatures.pdf",),
        true=flags("final"),
        empty=flags("embedding contradiction extent hallucination source module relation"),
    )
