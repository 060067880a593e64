"""The documents of the space Member Services, in English."""

from examples.generator.page import Page, Section
from examples.generator.world import MONTHS_EN, World

CLAIMS = "member-services/claims/"
MEMBERSHIP = "member-services/membership/"


def pages(w: World) -> tuple[Page, ...]:
    """Return the pages of Member Services as they read today."""
    return (_reporting(w), _home(w), _water(w), _bicycle(w), _travel(w), _fees(w), _meeting(w), _complaints(w))


def _reporting(w: World) -> Page:
    return Page(
        CLAIMS + "reporting-a-claim.pdf",
        "Reporting a claim",
        (
            Section(
                "Time limits",
                (
                    f"Damage must be reported to {w.company} within {w.claim_days} days of the day it was noticed.",
                    f"The theft of a bicycle must be reported to the police within {w.theft_hours} hours.",
                    "Late letters are still examined if illness or absence abroad explains the delay.",
                ),
            ),
            Section(
                "What to send",
                (
                    "A claim needs photos of the damage and the receipts of the damaged things.",
                    "Original papers are returned after the file has been closed.",
                    "Please do not throw anything away before an expert has seen it.",
                ),
            ),
            Section(
                "Where to turn",
                (
                    f"The claims desk can be reached around the clock on {w.phone}.",
                    f"The desk in {w.town} is headed by {w.head_of_claims}.",
                    "Letters are answered in English, German, French and Italian.",
                ),
            ),
            Section(
                "What happens next",
                (
                    "Every file receives a number, which should be quoted in all letters.",
                    "An expert visits the place when the cause of a fire is not clear.",
                    "Repairs may begin as soon as the expert has taken pictures.",
                ),
            ),
        ),
    )


def _home(w: World) -> Page:
    return Page(
        CLAIMS + "home-policy.docx",
        f"The {w.home} home policy",
        (
            Section(
                "Deductible and payment",
                (
                    f"The deductible of the {w.home} home policy is CHF {w.deductible:,} per event.",
                    f"An accepted claim is paid within {w.pay_days} working days.",
                    "Money is transferred to the account named in the form.",
                ),
            ),
            Section(
                "Glass and locks",
                (
                    "Broken windows and shower screens are replaced free of charge.",
                    "Lost house keys are replaced once per calendar year.",
                ),
            ),
            Section(
                "Fire and lightning",
                (
                    "Fire, lightning and explosion are insured at the replacement value of the furniture.",
                    "Scorch marks from cigarettes and irons are excluded.",
                ),
            ),
        ),
    )


def _water(w: World) -> Page:
    return Page(
        CLAIMS + "water-damage.html",
        "Water damage",
        (
            Section(
                "Burst pipes",
                (
                    f"Water damage from a burst pipe is covered up to CHF {w.water_limit:,}.",
                    "The main tap must be closed at once, and the emergency plumber called.",
                ),
            ),
            Section(
                "Groundwater and sewers",
                (
                    "Damage caused by groundwater is not covered.",
                    "Backwater from the public sewer is covered only where a non-return valve is fitted.",
                ),
            ),
            Section(
                "Drying",
                (
                    "Drying machines are rented and paid for by the insurer.",
                    "Their electricity is refunded against the bill of the power company.",
                ),
            ),
        ),
    )


def _bicycle(w: World) -> Page:
    return Page(
        CLAIMS + "bicycle-policy.md",
        f"The {w.bike} bicycle policy",
        (
            Section(
                "What is insured",
                (
                    f"The {w.bike} bicycle policy insures bicycles up to a value of CHF {w.bike_limit:,}.",
                    "Electric bicycles that assist above 25 km/h are covered by the bicycle policy.",
                    "Wear of tyres, chains and brakes is the owner's affair.",
                ),
            ),
            Section(
                "Duties of the owner",
                (
                    "A parked bicycle must be locked to a fixed object.",
                    "The frame number has to be kept together with the invoice.",
                ),
            ),
        ),
    )


def _travel(w: World) -> Page:
    return Page(
        CLAIMS + "travel-policy.txt",
        f"The {w.travel} travel policy",
        (
            Section(
                "Length and limits",
                (
                    f"The {w.travel} travel policy covers trips of up to {w.travel_days} days.",
                    f"Medical treatment abroad is covered up to CHF {w.medical_limit:,}.",
                    "A call to the emergency number comes before any stay in a hospital.",
                ),
            ),
            Section(
                "Lost luggage",
                (
                    "For lost luggage the airline's confirmation, the boarding pass and a list of contents are needed.",
                    "Cash is never replaced.",
                ),
            ),
            Section(
                "Cancelled trips",
                (
                    "Costs of cancelling a trip are refunded after an accident or a serious illness.",
                    "Fear of flying is no reason for a refund.",
                ),
            ),
        ),
    )


def _fees(w: World) -> Page:
    notice = f"A membership can be cancelled in writing with {w.notice_months} months' notice to the end of a year."
    return Page(
        MEMBERSHIP + "fees-and-notice.md",
        "Fees and notice",
        (
            Section(
                "Fees",
                (
                    f"The annual membership fee is CHF {w.fee}.",
                    "Young people pay half of it until their 25th birthday.",
                    "Invoices are sent in January and are payable within a month.",
                ),
            ),
            Section(
                "Leaving",
                (
                    notice,
                    "The share certificate is paid back when somebody leaves.",
                ),
            ),
        ),
    )


def _meeting(w: World) -> Page:
    day = f"{w.meeting.day} {MONTHS_EN[w.meeting.month - 1]} {w.meeting.year}"
    return Page(
        MEMBERSHIP + "general-meeting.txt",
        "The general meeting",
        (
            Section(
                "Date and votes",
                (
                    f"The general meeting takes place in {w.town} on {day}.",
                    "Every member has one vote, whatever the number of shares.",
                    "A vote can be handed to another member in writing.",
                ),
            ),
            Section(
                "Dividend",
                (
                    f"The dividend on share certificates is {w.dividend} percent.",
                    "It is credited to the member's account in June.",
                ),
            ),
        ),
    )


def _complaints(w: World) -> Page:
    return Page(
        MEMBERSHIP + "complaints.html",
        "Complaints",
        (
            Section(
                "Objecting to a decision",
                (
                    f"A member may object to a decision in writing within {w.appeal_days} days.",
                    "Objections are decided by the ombuds office, which is independent of the claims desk.",
                    "The procedure costs nothing.",
                ),
            ),
            Section(
                "Praise and blame",
                (
                    "Praise and blame about the staff reach us through the form on the website.",
                    "Anonymous letters are read but not answered.",
                ),
            ),
        ),
    )
