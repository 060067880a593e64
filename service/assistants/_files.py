"""Which files a space's documents are, and what stands in them."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from service.assistants._formats import READERS, Unreadable, read_pieces
from service.assistants._pieces import Document

_LARGEST = 200 * 1024 * 1024


@dataclass(frozen=True)
class File:
    """A file of a space: where it is, and its path as the space calls it."""

    path: Path
    identity: str


@dataclass(frozen=True)
class Library:
    """The documents read, and notes on the files that were not: each is named, none is passed over in silence."""

    documents: tuple[Document, ...]
    notes: tuple[str, ...]


def missing(places: Sequence[Path]) -> Iterator[str]:
    """Yield what is wrong with the places a space names, as far as a glance tells."""
    for place in places:
        if not place.exists():
            yield f"documents {place} does not exist"
        elif place.is_file() and place.suffix.lower() not in READERS:
            yield f"documents {place} cannot be read (known: {', '.join(READERS)})"
        elif place.is_dir() and not any(_readable(file.path) for file in _walk(place)):
            yield f"documents {place} holds no file flagbook can read ({', '.join(READERS)})"


def find_files(places: Sequence[Path]) -> tuple[File, ...]:
    """Return the files of all places, each once, in the order of the places and then by name."""
    found: dict[Path, File] = {}
    for place in places:
        for file in _walk(place) if place.is_dir() else [File(place.resolve(), place.name)]:
            found.setdefault(file.path, file)
    return tuple(found.values())


def fingerprint(files: Sequence[File]) -> str:
    """Return a hash over names and contents; it changes with every change a reader could see."""
    digest = hashlib.sha256()
    for file in files:
        try:
            content = file.path.read_bytes() if _refusal(file) == "" else b""
        except OSError:
            content = b""
        digest.update(f"{file.identity}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def stamp(files: Sequence[File]) -> str:
    """Return what tells, without reading, that something changed: names, sizes and times of the files."""
    digest = hashlib.sha256()
    for file in files:
        try:
            told = file.path.stat()
        except OSError:
            continue
        digest.update(f"{file.path}\0{told.st_size}\0{told.st_mtime_ns}\0".encode())
    return digest.hexdigest()


def read_library(files: Sequence[File]) -> Library:
    """Return what stands in the files."""
    names = Counter(Path(file.identity).name.casefold() for file in files)
    documents: list[Document] = []
    notes: list[str] = []
    for file in files:
        try:
            if refusal := _refusal(file):
                raise Unreadable(refusal)
            pieces = read_pieces(file.path.suffix.lower(), file.path.read_bytes())
        except (Unreadable, OSError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or error
            notes.append(f"{file.identity} was not read: {reason}")
            continue
        name = Path(file.identity).name
        documents.append(Document(name if names[name.casefold()] == 1 else file.identity, file.identity, pieces))
    return Library(tuple(documents), tuple(notes))


def _walk(folder: Path) -> Iterator[File]:
    """Yield the files below a folder by name; hidden ones and the lock files of word processors are not documents."""
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        shown = path.is_file() or path.is_symlink()
        if shown and not any(part.startswith((".", "~$")) for part in relative.parts):
            yield File(path, relative.as_posix())


def _readable(path: Path) -> bool:
    return path.suffix.lower() in READERS


def _refusal(file: File) -> str:
    """Return why a file is not opened at all, empty when it may be."""
    real = file.path.resolve()
    root = _root(file)
    if not real.is_relative_to(root):
        return "it is a link that leads out of the folder"
    if not real.is_file():
        return "it is a link to a folder" if real.is_dir() else "it is gone, or a link that leads nowhere"
    if not _readable(file.path):
        return f"flagbook does not read {file.path.suffix or 'files without an extension'}"
    return "it is too large" if real.stat().st_size > _LARGEST else ""


def _root(file: File) -> Path:
    """Return the real folder the space named: the file's path without its own part below it."""
    depth = len(Path(file.identity).parts)
    return file.path.parents[depth - 1].resolve()
