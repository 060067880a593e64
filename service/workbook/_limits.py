"""How much one file may ask for."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from service.settings import Settings

MB = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds of one file, counted on real bytes; a file beyond them is refused with a sentence."""

    file_mb: int = 50
    entries: int = 2_000
    part_mb: int = 250
    total_mb: int = 500
    questions: int = 100_000
    strings: int = 4_000_000
    seconds: int = 120
    memory_mb: int = 450

    @classmethod
    def of(cls, settings: "Settings") -> "Limits":
        """Return the bounds the settings name."""
        return cls(
            file_mb=settings.max_upload_mb,
            part_mb=settings.max_unpacked_mb // 2,
            total_mb=settings.max_unpacked_mb,
            questions=settings.max_questions,
            seconds=settings.workbook_timeout_s,
            memory_mb=settings.workbook_memory_mb,
        )

    def for_results(self) -> "Limits":
        """Return the bounds for a workbook full of results: answers and reasons make it several times larger."""
        return replace(
            self,
            file_mb=self.file_mb * 6,
            part_mb=self.part_mb * 6,
            total_mb=self.total_mb * 6,
            seconds=self.seconds * 3,
        )
