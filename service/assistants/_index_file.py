"""An index on disk, so that documents are read and embedded once and not with every start."""

import json
import os
import tempfile
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from service.assistants._chunks import Passage, Sentence
from service.assistants._rank import Index

_BROKEN = (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile)


@dataclass(frozen=True)
class Stored:
    """An index with the notes on files that could not be read."""

    index: Index
    notes: tuple[str, ...]


def load(path: Path) -> Stored | None:
    """Return the index in a file, None when there is none or it is damaged (then it is built again)."""
    try:
        with np.load(path, allow_pickle=False) as held:
            known = json.loads(held["passages"].tobytes())
            vectors = np.asarray(held["vectors"], dtype=np.float32)
        passages = tuple(_passage(one) for one in known["passages"])
        notes = tuple(map(str, known["notes"]))
    except _BROKEN:
        return None
    return Stored(Index(passages, vectors), notes) if len(passages) == len(vectors) else None


def save(path: Path, stored: Stored) -> None:
    """Write the index beside its place and move it there, so that nobody reads half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    known = {"passages": [asdict(passage) for passage in stored.index.passages], "notes": stored.notes}
    text = np.frombuffer(json.dumps(known, ensure_ascii=False).encode(), dtype=np.uint8)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, passages=text, vectors=stored.index.vectors)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _passage(held: dict[str, object]) -> Passage:
    sentences = tuple(Sentence(**one) for one in held.pop("sentences"))  # type: ignore[attr-defined]
    return Passage(sentences=sentences, **held)  # type: ignore[arg-type]
