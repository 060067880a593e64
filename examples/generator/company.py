"""Everything a seed's demo consists of."""

from dataclasses import dataclass

from examples.generator import pages_de, pages_en, questions_de, questions_en, questions_partner
from examples.generator.page import Page, in_order_of
from examples.generator.row import Row
from examples.generator.world import SHIPPED, World, world


@dataclass(frozen=True)
class Demo:
    """The company, its documents, and the rows of its benchmark."""

    world: World
    pages: tuple[Page, ...]
    rows: tuple[Row, ...]


def demo_of(seed: int = SHIPPED) -> Demo:
    """Return the demo of a seed; another seed has other names, numbers, dates and sentence order."""
    company = world(seed)
    pages = (*pages_en.pages(company), *pages_de.pages(company))
    rows = (*questions_en.rows(company), *questions_de.rows(company), *questions_partner.rows(company))
    return Demo(company, tuple(in_order_of(company, page) for page in pages), company.shuffled(rows, "rows"))
