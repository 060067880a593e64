"""How much one file may ask for."""

from dataclasses import dataclass

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

    def for_results(self) -> "Limits":
        """Return the bounds for a workbook full of results: answers and reasons make it several times larger."""
        return Limits(
            file_mb=self.file_mb * 6,
            entries=self.entries,
            part_mb=self.part_mb * 6,
            total_mb=self.total_mb * 6,
            questions=self.questions,
            strings=self.strings,
            seconds=self.seconds * 3,
            memory_mb=self.memory_mb,
        )
