"""The one entrance to the run room: each method is one thing a person can want."""

from collections.abc import Awaitable, Callable, Sequence

from service.runs._shapes import AdoptionView, NamedFile, Report, RowView, RunOptions, RunView, User

Progress = Callable[[RunView], Awaitable[None] | None]


class Runs:
    """Check, submit, watch, deliver, adopt; runs of another company do not exist (`RunUnknown`)."""

    async def check(self, content: bytes, filename: str, *, user: User, sheet: str | None = None) -> Report:
        """Say what would happen with a workbook; nothing is stored.

        Raises `WorkbookRefused` with the reason when it cannot be run at all.
        """
        raise NotImplementedError

    async def submit(self, content: bytes, filename: str, options: RunOptions, *, user: User) -> RunView:
        """Store a workbook as a run and start it; when this returns, a crash no longer loses it.

        Raises `WorkbookRefused`, or `OptionsRefused` for rows or flags that do not exist.
        """
        raise NotImplementedError

    async def list(self, *, user: User) -> Sequence[RunView]:
        """Return the company's runs, the newest first."""
        raise NotImplementedError

    async def get(self, run_id: str, *, user: User) -> RunView:
        """Return one run."""
        raise NotImplementedError

    async def rows(
        self, run_id: str, *, user: User, flagged: bool | None = None, offset: int = 0, limit: int = 100
    ) -> Sequence[RowView]:
        """Return a page of rows in sheet order; `flagged` True or False keeps rows with that final flag."""
        raise NotImplementedError

    async def workbook(self, run_id: str, *, user: User, flagged: bool = False) -> NamedFile:
        """Return the result workbook, before the end with what is there so far; `flagged` sets the filter."""
        raise NotImplementedError

    async def cancel(self, run_id: str, *, user: User) -> RunView:
        """Stop asking; what was stored stays and can be downloaded. A finished run is returned unchanged."""
        raise NotImplementedError

    async def adopt(
        self, run_id: str, *, user: User, every: bool = False, content: bytes | None = None
    ) -> AdoptionView:
        """Make the next benchmark set from the result, or from `content`, the result as a person reviewed it.

        Raises `RunNotReady` while the run goes on.
        """
        raise NotImplementedError

    async def delete(self, run_id: str, *, user: User) -> None:
        """Remove a run with all it holds; a running one is stopped first."""
        raise NotImplementedError

    async def rejudge(self, run_id: str, options: RunOptions, *, user: User) -> RunView:
        """Start a new run that judges the stored answers of `run_id` again; nothing is asked."""
        raise NotImplementedError

    async def wait(self, run_id: str, *, user: User, on_progress: Progress | None = None) -> RunView:
        """Return the run once it is ready, failed or cancelled; `on_progress` is called with each change."""
        raise NotImplementedError
