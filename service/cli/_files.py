"""Files named on the command line."""

import os
import tempfile
from pathlib import Path


def read_file(path: Path) -> bytes:
    """Return the file's content, or raise `FileUnreadable` with the reason."""
    from service.errors import FileUnreadable

    try:
        return path.read_bytes()
    except OSError as error:
        raise FileUnreadable(path=str(path), problem=error.strerror or str(error)) from None


def is_csv(out: Path) -> bool:
    """Tell whether the rows are wanted as CSV instead of the workbook, by the file's ending."""
    return out.suffix.lower() == ".csv"


def check_output(out: Path, *inputs: Path) -> None:
    """Raise `OutputRefused` before any work when the result could not, or must not, be written to `out`."""
    from service.errors import OutputRefused

    if out.is_dir():
        raise OutputRefused(path=str(out), problem="it is a folder; name a file")
    for path in inputs:
        if path.exists() and out.exists() and out.samefile(path):
            raise OutputRefused(path=str(out), problem="it is the input; name another file, so that nothing is lost")
    if not out.parent.is_dir():
        raise OutputRefused(path=str(out), problem=f"the folder {out.parent} does not exist")


def write_file(out: Path, content: bytes) -> None:
    """Write the whole file or none of it: nobody ever opens half a workbook."""
    from service.errors import OutputRefused

    try:
        handle, beside = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
            # mkstemp makes files only their owner can read; a result is read by whom the umask lets
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(beside, 0o666 & ~umask)
            os.replace(beside, out)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise OutputRefused(path=str(out), problem=error.strerror or str(error)) from None


def make_folder(folder: Path) -> None:
    """Make the folder with its parents, or raise `OutputRefused` with the reason."""
    from service.errors import OutputRefused

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputRefused(path=str(folder), problem=error.strerror or str(error)) from None
