"""Which files a space's documents are."""

from pathlib import Path

import pytest

from service.assistants._files import find_files, fingerprint, missing, read_library, stamp


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a folder with documents, and things that are none."""
    folder = tmp_path / "docs"
    for name in ("b.txt", "a/leave.md", "c/leave.md", ".hidden.txt", ".git/x.txt", "~$b.docx", "photo.jpg", "Makefile"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"Text of {name}.")
    return folder


def test_files_are_found_by_name_with_their_path_as_identity(tree: Path) -> None:
    """A document is called by its file's name, by its path where two have the same."""
    library = read_library(find_files([tree]))
    assert [(document.name, document.identity) for document in library.documents] == [
        ("a/leave.md", "a/leave.md"),
        ("b.txt", "b.txt"),
        ("c/leave.md", "c/leave.md"),
    ]


def test_every_file_that_is_not_read_is_named(tree: Path) -> None:
    """Nothing is passed over in silence but hidden and lock files."""
    (tree / "broken.pdf").write_bytes(b"x")
    notes = read_library(find_files([tree])).notes
    assert [note.split(" was not read: ")[0] for note in notes] == ["Makefile", "broken.pdf", "photo.jpg"]
    assert "files without an extension" in notes[0]
    assert "damaged" in notes[1]
    assert ".jpg" in notes[2]


def test_links_that_lead_out_of_the_folder_are_refused(tree: Path, tmp_path: Path) -> None:
    """A folder gives away what lies in it, not what it points at."""
    (tmp_path / "secret.txt").write_text("The secret.")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "more.txt").write_text("More secrets.")
    (tree / "link.txt").symlink_to(tmp_path / "secret.txt")
    (tree / "folder").symlink_to(tmp_path / "outside")
    (tree / "inner").symlink_to(tree / "a")
    files = find_files([tree])
    library = read_library(files)
    assert "secret" not in str(library.documents).lower()
    assert {note.split(" was not read: ")[0] for note in library.notes} >= {"link.txt", "folder", "inner"}
    before = fingerprint(files)
    (tmp_path / "secret.txt").write_text("Another secret.")
    assert fingerprint(files) == before


def test_a_file_named_by_the_space_itself_may_be_a_link(tree: Path) -> None:
    """The person who wrote the file's name meant it; a file named twice is one document."""
    (tree / "named.txt").symlink_to(tree / "b.txt")
    library = read_library(find_files([tree / "named.txt", tree / "b.txt"]))
    assert [document.name for document in library.documents] == ["named.txt"]


def test_places_that_cannot_be_read_are_told_before_anything_is_asked(tree: Path) -> None:
    """Missing, of a kind nobody reads, or empty."""
    (tree / "empty").mkdir()
    places = [tree / "none", tree / "photo.jpg", tree / "empty", tree]
    assert [problem.split(str(tree))[1] for problem in missing(places)] == [
        "/none does not exist",
        "/photo.jpg cannot be read (known: .txt, .md, .html, .htm, .pdf, .docx)",
        "/empty holds no file flagbook can read (.txt, .md, .html, .htm, .pdf, .docx)",
    ]


def test_every_change_a_reader_could_see_changes_the_fingerprint(tree: Path) -> None:
    """Content, names and number of files; the stamp tells it without reading."""
    seen = {(fingerprint(find_files([tree])), stamp(find_files([tree])))}
    (tree / "b.txt").write_text("Changed.")
    seen.add((fingerprint(find_files([tree])), stamp(find_files([tree]))))
    (tree / "b.txt").rename(tree / "d.txt")
    seen.add((fingerprint(find_files([tree])), stamp(find_files([tree]))))
    assert len({one for one, _ in seen}) == len({two for _, two in seen}) == 3


def test_a_file_that_vanishes_meanwhile_is_named(tree: Path) -> None:
    """Between looking and reading anything may happen."""
    files = find_files([tree / "b.txt"])
    (tree / "b.txt").unlink()
    assert stamp(files)
    assert fingerprint(files)
    assert read_library(files).notes == ("b.txt was not read: it is gone, or a link that leads nowhere",)
