"""The rows of the space Member Services. What changed since the benchmark was accepted stands in the documents."""

from examples.generator.row import MEMBERS, Row, flags
from examples.generator.world import World

CLAIMS, MEMBERSHIP = ("claims",), ("membership",)
REPORTING, HOME, WATER = "reporting-a-claim.pdf", "home-policy.docx", "water-damage.html"
BICYCLE, TRAVEL, FEES = "bicycle-policy.md", "travel-policy.txt", "fees-and-notice.md"
MEETING, COMPLAINTS = "general-meeting.txt", "complaints.html"


def rows(w: World) -> tuple[Row, ...]:
    """Return the questions to Member Services."""
    return (*_unchanged(w), *_drifted(w))


def _unchanged(w: World) -> tuple[Row, ...]:
    return (
        Row(
            space=MEMBERS,
            why="rephrased",
            question="Within how many days must damage be reported?",
            reference=f"Members have {w.claim_days} days from noticing the damage to report it to {w.company}.",
            sources=(REPORTING,),
            modules=CLAIMS,
        ),
        Row(
            space=MEMBERS,
            why="the same number in another notation",
            question=f"How high is the deductible of the {w.home} home policy?",
            reference=f"For the {w.home} home policy the deductible is {_swiss(w.deductible)}.00 francs per event.",
            sources=(f"{HOME} : 1",),
            modules=CLAIMS,
        ),
        Row(
            space=MEMBERS,
            why="the same list in another order",
            question="What is needed for lost luggage?",
            reference=(
                "A list of contents, the boarding pass and the airline's confirmation are needed for lost luggage."
            ),
            sources=(TRAVEL,),
            modules=CLAIMS,
        ),
        Row(
            space=MEMBERS,
            why="the same date in another notation",
            question="When does the general meeting take place?",
            reference=f"The general meeting is on {w.meeting:%d.%m.%Y} in {w.town}.",
            sources=(MEETING,),
            modules=MEMBERSHIP,
        ),
        Row(
            space=MEMBERS,
            why="rephrased; the benchmark source is written with its ending in capitals",
            question="How high is the annual membership fee?",
            reference=f"The membership fee amounts to {w.fee} francs a year.",
            sources=("fees-and-notice.MD",),
            modules=MEMBERSHIP,
        ),
        Row(
            space=MEMBERS,
            why="a first question: there is no benchmark answer yet",
            question=f"Up to what value are bicycles insured by the {w.bike} bicycle policy?",
            correct=False,
            empty=flags("embedding contradiction extent source module"),
        ),
    )


def _drifted(w: World) -> tuple[Row, ...]:
    return (
        Row(
            space=MEMBERS,
            why="a changed number: the document gives another time limit now",
            question="Within how many hours must the theft of a bicycle be reported to the police?",
            reference=f"The theft of a bicycle has to be reported to the police within {w.theft_hours_before} hours.",
            sources=(REPORTING,),
            modules=CLAIMS,
            true=flags("contradiction final"),
        ),
        Row(
            space=MEMBERS,
            why="a negation: such bicycles are covered now",
            question="Are electric bicycles that assist above 25 km/h covered?",
            reference="No, electric bicycles that assist above 25 km/h are not covered by the bicycle policy.",
            sources=(BICYCLE,),
            modules=CLAIMS,
            true=flags("contradiction final"),
        ),
        Row(
            space=MEMBERS,
            why="a missing part: the estimate for the repair is no longer in the document",
            question="What does a claim need?",
            reference=(
                "A claim needs photos of the damage and the receipts of the damaged things. "
                "It also needs a written estimate of the repair from a craftsman, and the form with the member's "
                "signature."
            ),
            sources=(REPORTING,),
            modules=CLAIMS,
            true=flags("extent final"),
        ),
        Row(
            space=MEMBERS,
            why="a missing source: the letter of the benchmark is not used any more",
            question="Up to what amount is water damage from a burst pipe covered?",
            reference=f"Water damage from a burst pipe is covered up to {_swiss(w.water_limit)} francs.",
            sources=(WATER, "member-letter-2025.pdf : 2"),
            modules=CLAIMS,
            true=flags("source final"),
        ),
        Row(
            space=MEMBERS,
            why="another module: objections were a matter of the claims desk",
            question="Within how many days may a member object to a decision?",
            reference=f"A member may object in writing within {w.appeal_days} days of the decision.",
            sources=(COMPLAINTS,),
            modules=CLAIMS,
            true=flags("module final"),
        ),
        Row(
            space=MEMBERS,
            why="a refusal: nothing about boats is in the documents any more",
            question="Are sailing boats and motor boats insured on lakes?",
            reference="Sailing boats and motor boats are insured on Swiss lakes if they are shorter than eight metres.",
            sources=(),
            modules=(),
            true=flags("embedding extent relation final"),
            empty=flags("source module"),
        ),
    )


def _swiss(amount: int) -> str:
    return f"{amount:,}".replace(",", "'")
