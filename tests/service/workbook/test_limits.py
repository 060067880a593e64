"""How much one file may ask for is a setting; results that come back may be several times larger."""

from typing import Any

import pytest

from service.errors import WorkbookTooLarge
from service.settings import Settings
from service.workbook import Delivery, Limits, adopt, read, write


def test_the_settings_name_the_limits() -> None:
    """Each bound a person may want to change follows its setting."""
    settings = Settings(
        max_upload_mb=7, max_unpacked_mb=70, max_questions=9, workbook_timeout_s=11, workbook_memory_mb=333
    )
    limits = Limits.of(settings)
    assert (limits.file_mb, limits.part_mb, limits.total_mb) == (7, 35, 70)
    assert (limits.questions, limits.seconds, limits.memory_mb) == (9, 11, 333)
    large = limits.for_results()
    assert (large.file_mb, large.part_mb, large.total_mb, large.seconds) == (42, 210, 420, 33)
    assert (large.questions, large.memory_mb) == (9, 333)


def test_the_defaults_of_both_are_the_same() -> None:
    """What the documentation prints is what a service without settings does."""
    assert Limits.of(Settings()) == Limits()


def test_every_door_keeps_to_its_limits(room: Any) -> None:
    """Reading, writing and adopting refuse what is larger; results are measured with more."""
    content = room.case("baseline_5q.xlsx") + b""
    tight = Limits(total_mb=0, part_mb=0)
    with pytest.raises(WorkbookTooLarge):
        read(content, limits=tight)
    with pytest.raises(WorkbookTooLarge):
        write(content, room.answered(room.read(content)), [], Delivery(limits=tight))
    with pytest.raises(WorkbookTooLarge):
        adopt(content, lineage={}, limits=tight)


def test_a_result_is_read_where_an_upload_is_refused(room: Any) -> None:
    """A filled file has outgrown the limit of an upload by far, and is adopted all the same."""
    content = room.sheet(["Question", "Assistant"], *([f"Why {n}?", "HR"] for n in range(400)))
    filled = room.write(content, room.answered(room.read(content), "".join(map(chr, range(0x4E00, 0x9E00)))))
    limits = Limits(part_mb=15, total_mb=20)
    with pytest.raises(WorkbookTooLarge):
        read(filled, limits=limits)
    assert len(read(filled, limits=limits.for_results()).rows) == 400
    assert len(adopt(filled, lineage={"run": "r"}, limits=limits).adopted) == 400
