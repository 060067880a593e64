"""The service as it is really built."""

import asyncio
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from service.app import create_app, open_service
from service.errors import KeyMissing, SpacesFileBroken
from service.runs import RunOptions, User
from service.settings import Settings

ME = User()
SPACES = 'spaces:\n  - {name: Law, backend: echo, answers: {"How much?": Five francs.}}\n'


def workbook() -> bytes:
    """A workbook of one question."""
    from openpyxl import Workbook

    book = Workbook()
    book.worksheets[0].append(["Question", "Assistant", "answer_benchmark"])
    book.worksheets[0].append(["How much?", "Law", "Five francs."])
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()


@pytest.fixture
def settings(tmp_path: Path, openai_server: Any, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A home with one space, judged and embedded by a server of its own."""
    (tmp_path / "spaces.yaml").write_text(SPACES)
    monkeypatch.setenv("JUDGE_KEY", "key")
    return Settings(
        home=tmp_path / "home",
        spaces=tmp_path / "spaces.yaml",
        judge_base_url=openai_server.base_url,
        judge_api_key_env="JUDGE_KEY",
        embedder="openai:e",
        embedder_base_url=openai_server.base_url,
        embedder_api_key_env="JUDGE_KEY",
    )


async def test_everything_real_works_together(settings: Settings, openai_server: Any) -> None:
    """A space from the file, a judge and an embedder behind an endpoint, the database in the home."""
    async with open_service(settings, executor="cli-1") as service:
        assert service.spaces == ("Law",)
        run = await service.runs.submit(workbook(), "B.xlsx", RunOptions(), user=ME)
        view = await asyncio.wait_for(service.runs.wait(run.id, user=ME), 30)
        (row,) = await service.runs.rows(run.id, user=ME)
    assert (view.state, view.judge, view.errors) == ("ready", "llm gpt-4.1", 0)
    assert (row.answer, row.flagged) == ("Five francs.", False)
    assert row.verdicts["embedding"].score == pytest.approx(1)
    assert openai_server.stats()["judged"].keys() == {"contradiction", "coverage"}
    assert (settings.home / "flagbook.sqlite").exists()


async def test_a_judge_without_its_key_is_told_at_upload(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is stored and nothing is asked."""
    monkeypatch.delenv("JUDGE_KEY")
    chosen = settings.model_copy(update={"embedder": "packaged"})
    async with open_service(chosen, executor="cli-1") as service:
        with pytest.raises(KeyMissing):
            await service.runs.submit(workbook(), "B.xlsx", RunOptions(judge="llm"), user=ME)
        assert await service.runs.list(user=ME) == []


async def test_a_spaces_file_nobody_asked_for_may_be_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that was named must be there."""
    monkeypatch.chdir(tmp_path)
    async with open_service(Settings(home=tmp_path / "home"), executor="cli-1") as service:
        assert service.spaces == ()
    with pytest.raises(SpacesFileBroken):
        async with open_service(Settings(home=tmp_path / "home", spaces=tmp_path / "x.yaml"), executor="cli-1"):
            pass


def test_the_application_serves_runs_and_pages(settings: Settings) -> None:
    """Its lifespan opens the service under the name whose runs survive a restart."""
    app = create_app(settings)
    with TestClient(app, base_url="http://127.0.0.1:8300") as client:
        assert app.state.service.spaces == ("Law",)
        assert (settings.home / "serve.lock").exists()
        assert client.get("/api/v1/runs").json() == []
        assert "flagbook" in client.get("/").text
