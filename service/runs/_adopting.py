"""A reviewed result → the next benchmark set."""

import uuid
from datetime import UTC, datetime
from pathlib import PurePath

from service.runs._shapes import AdoptionView, NamedFile, Remark, User
from service.store import RunRecord
from service.workbook import Adoption


def lineage(run: RunRecord, user: User) -> dict[str, str]:
    """Return what the new file's properties say about where it comes from."""
    return {
        "set": str(uuid.uuid4()),
        "run": run.id,
        "file": run.name,
        "who": user.name,
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def adoption_view(adoption: Adoption, run: RunRecord) -> AdoptionView:
    """Return the new file and why some rows were kept as they were."""
    kept = tuple(Remark(code="kept", message=reason, row=row) for row, reason in sorted(adoption.kept.items()))
    file = NamedFile(name=file_name(run.name, "next"), content=adoption.content)
    return AdoptionView(file=file, adopted=len(adoption.adopted), kept=kept, notes=adoption.notes)


def file_name(name: str, ending: str, *, kind: str = "xlsx") -> str:
    """Return `Benchmark_flagged.xlsx` for `Benchmark.xlsx`; endings of earlier rounds do not pile up."""
    stem = PurePath(name.replace("\\", "/")).stem or "Benchmark"
    for known in ("flagged", "only", "next", "result"):
        stem = stem.removesuffix(f"_{known}")
    return f"{stem}_{ending}.{kind}"
