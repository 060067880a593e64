"""Logs of the command line: on stderr, quiet unless asked for."""

import io
import logging
import sys
from typing import TYPE_CHECKING, TextIO, cast

if TYPE_CHECKING:
    from structlog.types import Processor

LOUD_LIBRARIES = ("httpx", "httpx2", "aiohttp", "sentence_transformers", "transformers", "urllib3", "asyncio")


class _Stderr(io.TextIOBase):
    """Whatever stderr is at the moment of writing: a test or a progress bar may put another in its place."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def configure_logs(verbose: int) -> None:
    """Send logs to stderr: warnings only; with one -v what happens, with two also what the libraries say.

    A person at a terminal reads lines; anybody else gets one JSON object a line.
    """
    import structlog

    level = {0: logging.WARNING, 1: logging.INFO}.get(verbose, logging.DEBUG)
    stderr = cast("TextIO", _Stderr())
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    ending = _ending(at_terminal=sys.stderr.isatty())
    logging.basicConfig(level=level, stream=stderr, force=True)
    for handler in logging.getLogger().handlers:
        handler.setFormatter(_formatter(shared, ending))
        handler.setLevel(level)  # some libraries set the level of their own loggers
    for library in LOUD_LIBRARIES:
        logging.getLogger(library).setLevel(logging.WARNING if verbose < 2 else level)
    structlog.configure(
        processors=[*shared, *ending],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(stderr),
    )


def _ending(*, at_terminal: bool) -> "list[Processor]":
    """Return what turns a line into text; traces are plain, since a pretty one shows variables, and keys among them."""
    import structlog

    if at_terminal:
        return [structlog.dev.ConsoleRenderer(colors=True, exception_formatter=structlog.dev.plain_traceback)]
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(default=str)]


def _formatter(shared: "list[Processor]", ending: "list[Processor]") -> logging.Formatter:
    """Return what writes the lines of libraries as our own are written."""
    import structlog

    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[*shared, structlog.stdlib.add_logger_name],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            *ending,
        ],
    )
