"""The rows of Partner Bot, another system whose answers are scripted, and of a space that does not exist."""

from dataclasses import dataclass

from examples.generator.row import PARTNER, UNKNOWN, Row, Script, flags
from examples.generator.world import World

FACTS, TARIFF, LETTER = "partner-facts.pdf", "tariff-sheet.pdf", "partner-letter.docx"
SEARCH, QUOTE = ("search",), ("quote",)


@dataclass(frozen=True)
class Sayings:
    """What stands in the partners' papers; Partner Bot answers with these sentences, where it does not invent."""

    hours: str
    payout: str
    notice: str
    course: str
    rate: str
    premium: str
    concert: str

    @property
    def papers(self) -> dict[str, str]:
        """Return the text of each paper, as Partner Bot hands it over with its answers."""
        return {
            FACTS: " ".join((self.hours, self.payout, self.notice, self.course)),
            TARIFF: f"{self.rate} {self.premium}",
            LETTER: f"Dear partners, thank you for the past year. {self.concert}",
        }

    def script(self, answer: str, paper: str, modules: tuple[str, ...] = SEARCH) -> Script:
        """Return an answer with the paper it cites."""
        return Script(answer=answer, sources=((paper, self.papers[paper]),), modules=modules)


def rows(w: World) -> tuple[Row, ...]:
    """Return the questions to Partner Bot, and the one to nobody."""
    said = Sayings(
        hours=f"The partner office in {w.town} is open from 8 to 17 o'clock on working days.",
        payout=f"Commissions are paid to the partners on day {w.claim_days} of every month.",
        notice=f"A partner contract can be cancelled with {w.notice_months} months' notice.",
        course=f"New partners attend an introduction of two days in {w.town} before they sell their first policy.",
        rate=f"Partners receive a commission of {w.dividend} percent of the first annual premium.",
        premium=f"The annual premium of the {w.travel} travel policy is CHF {w.fee + 120}.",
        concert=(
            f"The general meeting in {w.town} ends with a concert of the village choir, and afterwards cheese, bread "
            "and apple juice are served in the old barn behind the church."
        ),
    )
    return (*_unchanged(w, said), *_drifted(w, said), *_invented(w, said), _nobody())


def _unchanged(w: World, said: Sayings) -> tuple[Row, ...]:
    return (
        Row(
            space=PARTNER,
            why="word for word the same",
            question="When is the partner office open?",
            reference=said.hours,
            sources=(FACTS,),
            modules=SEARCH,
            script=said.script(said.hours, FACTS),
        ),
        Row(
            space=PARTNER,
            why="said otherwise: similarity alone is below its threshold, and does not count in this space",
            question="When are commissions paid to the partners?",
            reference=f"Partners get their money once a month, always on day {w.claim_days}.",
            sources=(FACTS,),
            modules=SEARCH,
            script=said.script(said.payout, FACTS),
            true=flags("embedding"),
        ),
    )


def _drifted(w: World, said: Sayings) -> tuple[Row, ...]:
    return (
        Row(
            space=PARTNER,
            why="a changed number in the same words: similarity does not see it",
            question="With how many months' notice can a partner contract be cancelled?",
            reference=f"A partner contract can be cancelled with {w.notice_months + 6} months' notice.",
            sources=(FACTS,),
            modules=SEARCH,
            script=said.script(said.notice, FACTS),
            true=flags("contradiction final"),
        ),
        Row(
            space=PARTNER,
            why="another module: the premium was worked out by the module for quotes",
            question=f"What is the annual premium of the {w.travel} travel policy?",
            reference=said.premium,
            sources=(TARIFF,),
            modules=QUOTE,
            script=said.script(said.premium, TARIFF),
            true=flags("module final"),
        ),
        Row(
            space=PARTNER,
            why="off topic: an answer to another question",
            question="Which documents does a new partner have to hand in?",
            reference="A new partner has to hand in an extract from the criminal register and a copy of the diploma.",
            modules=SEARCH,
            script=said.script(said.concert, LETTER),
            true=flags("embedding extent relation final"),
            empty=flags("source"),
        ),
    )


def _invented(w: World, said: Sayings) -> tuple[Row, ...]:
    return (
        Row(
            space=PARTNER,
            why="an invented fact beside a true one",
            question="What commission do partners receive?",
            reference=said.rate,
            sources=(TARIFF,),
            modules=SEARCH,
            script=said.script(
                f"{said.rate} The rate was set by the poet {w.head_of_claims} during a balloon flight.", TARIFF
            ),
            true=flags("embedding hallucination final"),
        ),
        Row(
            space=PARTNER,
            why="an invented number: the source says two days",
            question="How many days does the introduction for new partners take?",
            reference=said.course,
            sources=(FACTS,),
            modules=SEARCH,
            script=said.script(said.course.replace("two", "nine"), FACTS),
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
