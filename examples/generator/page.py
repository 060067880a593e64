"""A page of the company's documents, before it is written in one format or another."""

from dataclasses import dataclass, replace

from examples.generator.world import World


@dataclass(frozen=True)
class Section:
    """Sentences under a heading; each stands alone, so that their order does not matter."""

    heading: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Page:
    """One document: its path below `documents/` (the ending decides the format), title and sections."""

    path: str
    title: str
    sections: tuple[Section, ...]


def in_order_of(world: World, page: Page) -> Page:
    """Return the page with sections and sentences in the order that belongs to the seed."""
    sections = tuple(
        replace(section, sentences=world.shuffled(section.sentences, page.path + section.heading))
        for section in world.shuffled(page.sections, page.path)
    )
    return replace(page, sections=sections)
