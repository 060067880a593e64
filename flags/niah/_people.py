"""Names of people that sound different from each other: no two share a Soundex code."""

import random
from collections.abc import Iterator
from itertools import product

GIVEN = (
    "Adele", "Agnes", "Alban", "Amara", "Anselm", "Arthur", "Astrid", "Basil", "Beatrix", "Benno", "Bertram",
    "Blanca", "Boris", "Bruno", "Camilla", "Casper", "Cecil", "Clara", "Conrad", "Cosima", "Damian", "Daphne",
    "Delia", "Dorothy", "Duncan", "Edgar", "Edwin", "Elvira", "Emmett", "Erasmus", "Ezra", "Fabian", "Felix", "Flora",
    "Frederick", "Gabriel", "Gideon", "Greta", "Gustav", "Harold", "Helena", "Hubert", "Ingrid", "Iris", "Isolde",
    "Jasper", "Jerome", "Judith", "Juliet", "Kaspar", "Kilian", "Leopold", "Lisbeth", "Lorenz", "Lucinda", "Magnus",
    "Marcel", "Matilda", "Miriam", "Nestor", "Nicholas", "Norbert", "Octavia", "Olga", "Orson", "Osbert", "Pandora",
    "Percy", "Philip", "Priscilla", "Quentin", "Ramona", "Raphael", "Rosalind", "Rupert", "Sabine", "Samuel",
    "Sebastian", "Sigrid", "Sophia", "Sylvester", "Tabitha", "Theodor", "Thurston", "Ulrich", "Ursula", "Valerie",
    "Victor", "Vincent", "Walter", "Wendelin", "Winifred", "Xavier", "Yolanda", "Zachary", "Zelda",
)  # fmt: skip
FAMILY = (
    "Abernathy", "Albrecht", "Ashdown", "Bellamy", "Birkett", "Bowditch", "Brandt", "Calloway", "Carrow", "Chandler",
    "Cobbold", "Crane", "Dalgaard", "Dunmore", "Eastwick", "Ebner", "Elphick", "Falk", "Farrow", "Ferrante", "Finch",
    "Fontaine", "Garvey", "Gilchrist", "Hadley", "Hawksmoor", "Holm", "Ibsen", "Ingram", "Jardine", "Jessop",
    "Kemble", "Kirkwood", "Lachance", "Lindqvist", "Lovelace", "Marchetti", "Merriweather", "Montague", "Nash",
    "Novak", "Oakley", "Orsini", "Pellegrin", "Pembroke", "Quarles", "Quimby", "Radcliffe", "Rossetti", "Rutherford",
    "Salisbury", "Seymour", "Stroud", "Tanaka", "Thackeray", "Tolland", "Trevelyan", "Ulvaeus", "Underhill", "Vance",
    "Verhoeven", "Wainwright", "Wexford", "Wolfe", "Yarrow", "Zeller",
)  # fmt: skip


def people(rng: random.Random, needed: int) -> Iterator[str]:
    """Yield at least so many names, none twice, all of one form.

    A few people have given names only; more also a family name, and very many a second given name, so that nobody
    stands out by the form of the name.
    """
    given, family = rng.sample(GIVEN, len(GIVEN)), rng.sample(FAMILY, len(FAMILY))
    if needed <= len(given):
        yield from given
        return
    shifts = range(1) if needed <= len(given) * len(family) else range(1, len(given))
    for second, last, (index, name) in product(shifts, range(len(family)), enumerate(given)):
        middle = f"{given[(index + second) % len(given)]} " if second else ""
        yield f"{name} {middle}{family[(index + last) % len(family)]}"
