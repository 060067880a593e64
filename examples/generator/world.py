"""The invented company: names, numbers and dates, which differ with every seed."""

import random
from dataclasses import dataclass, field
from datetime import date
from typing import TypeVar

T = TypeVar("T")

POLICIES = (("Hearth", "Spoke", "Wander"), ("Harbour", "Pedal", "Compass"), ("Nest", "Chain", "Voyage"))

SHIPPED = 0
"""The seed of the demo as it is shipped."""

MONTHS_EN = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
MONTHS_DE = (
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
)


@dataclass(frozen=True, kw_only=True)
class World:
    """What the documents say now, and (`…_before`) what they said when the benchmark was accepted.

    Amounts are in Swiss francs.
    """

    company: str
    town: str
    home: str
    bike: str
    travel: str
    head_of_claims: str
    head_of_staff: str
    phone: str
    claim_days: int
    deductible: int
    pay_days: int
    theft_hours: int
    theft_hours_before: int
    bike_limit: int
    water_limit: int
    fee: int
    notice_months: int
    meeting: date
    dividend: int
    travel_days: int
    medical_limit: int
    appeal_days: int
    vacation_days: int
    carry: date
    carry_before: date
    week_hours: int
    remote_days: int
    lunch: int
    car_rate: int
    expense_limit: int
    training_share: int
    training_years: int
    password: int
    parent_weeks: int
    seed: int = field(default=SHIPPED)

    def shuffled(self, items: tuple[T, ...], salt: str) -> tuple[T, ...]:
        """Return the items in an order that belongs to the seed; as shipped they stay in the written order."""
        order = list(items)
        if self.seed != SHIPPED:
            random.Random(f"{self.seed} {salt}").shuffle(order)
        return tuple(order)


def world(seed: int = SHIPPED) -> World:
    """Return the company of a seed."""
    chance = random.Random(f"world {seed}")
    home, bike, travel = chance.choice(POLICIES)
    theft_before, theft = chance.choice(((24, 72), (48, 96), (24, 48), (72, 36)))
    carry_before, carry = chance.choice((((3, 31), (6, 30)), ((4, 30), (9, 30)), ((6, 30), (3, 31))))
    return World(
        seed=seed,
        company=chance.choice(("Tannwald", "Moorquell", "Falkenried", "Silberau")),
        town=chance.choice(("Ostermatt", "Brückwil", "Seehalden", "Kaltbrunnen")),
        home=home,
        bike=bike,
        travel=travel,
        head_of_claims=chance.choice(("Ines Vonarx", "Pavel Roth", "Lena Okafor", "Marco Tessin")),
        head_of_staff=chance.choice(("Nora Bühlmann", "Jonas Keel", "Ayla Demir", "Reto Fankhauser")),
        phone=f"0800 {chance.randint(100, 999)} {chance.randint(100, 999)}",
        claim_days=chance.choice((14, 20, 30)),
        deductible=chance.choice((1250, 1400, 2300)),
        pay_days=chance.choice((8, 10, 12)),
        theft_hours=theft,
        theft_hours_before=theft_before,
        bike_limit=chance.choice((4800, 5500, 6200)),
        water_limit=chance.choice((15000, 18000, 22000)),
        fee=chance.choice((45, 60, 75)),
        notice_months=chance.choice((2, 3, 6)),
        meeting=date(2027, chance.choice((4, 5, 6)), chance.randint(10, 27)),
        dividend=chance.choice((3, 4, 5)),
        travel_days=chance.choice((45, 60, 90)),
        medical_limit=chance.choice((250000, 300000, 400000)),
        appeal_days=chance.choice((25, 40, 50)),
        vacation_days=chance.choice((26, 27, 28)),
        carry=date(2027, *carry),
        carry_before=date(2027, *carry_before),
        week_hours=chance.choice((40, 41, 42)),
        remote_days=chance.choice((2, 3)),
        lunch=chance.choice((22, 26, 32)),
        car_rate=chance.choice((65, 70, 75)),
        expense_limit=chance.choice((1500, 1800, 2400)),
        training_share=chance.choice((60, 75, 80)),
        training_years=chance.choice((2, 3)),
        password=chance.choice((14, 16, 18)),
        parent_weeks=chance.choice((6, 8, 10)),
    )
