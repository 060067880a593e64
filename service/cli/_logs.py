"""Logs of the command line: on stderr, quiet unless asked for."""

import io
import logging
import sys
from typing import TextIO, cast

LOUD_LIBRARIES = ("httpx", "httpx2", "aiohttp", "sentence_transformers", "transformers", "urllib3", "asyncio")


class _Stderr(io.TextIOBase):
    """Whatever stderr is at the moment of writing: a test or a progress bar may put another in its place."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def configure_logs(verbose: int) -> None:
    """Send logs to stderr: warnings only; with one -v what happens, with two also what the libraries say."""
    import structlog

    level = {0: logging.WARNING, 1: logging.INFO}.get(verbose, logging.DEBUG)
    stderr = cast("TextIO", _Stderr())
    logging.basicConfig(level=level, stream=stderr, format="%(levelname)s %(name)s: %(message)s", force=True)
    for handler in logging.getLogger().handlers:
        handler.setLevel(level)  # some libraries set the level of their own loggers
    for library in LOUD_LIBRARIES:
        logging.getLogger(library).setLevel(logging.WARNING if verbose < 2 else level)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(stderr),
    )
