"""A person's own files as a haystack: a file or a folder of txt, md, html, pdf, docx."""

import asyncio
import hashlib
from dataclasses import dataclass
from pathlib import Path

from service.errors import HaystackEmpty
from service.haystacks._gathered import Gathered, joined


@dataclass(frozen=True, kw_only=True)
class Files:
    """The documents of `path`, in the order of their names."""

    path: Path

    async def gather(self) -> Gathered:
        """Return their text; raise `HaystackEmpty` where nothing can be read."""
        return await asyncio.to_thread(self._read)

    def _read(self) -> Gathered:
        from service.assistants import find_files, missing, read_library

        for problem in missing([self.path]):
            raise HaystackEmpty(problem=problem)
        files = find_files([self.path])
        library = read_library(files)
        if not library.documents:
            raise HaystackEmpty(problem="; ".join(library.notes))
        hashes = {file.identity: hashlib.sha256(file.path.read_bytes()).hexdigest() for file in files}
        read = [document.identity for document in library.documents]
        return Gathered(
            text=joined(piece.text for document in library.documents for piece in document.pieces),
            about={"source": "files", "files": [{"name": name, "sha256": hashes[name]} for name in read]},
            notes=library.notes,
        )
