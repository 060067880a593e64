"""A whole experiment, from its plan to the figures a person reads off the result."""

import asyncio
import io
import subprocess
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from flags.niah import aggregate, discover_tasks, interpret
from service.app import open_service
from service.runs import RunOptions, User, experiment_of, plan_experiment
from service.settings import Settings
from service.workbook import outcomes, read
from service.workbook.niah_columns import ADDED

REASONING = ("sum", "max", "min", "mean", "conditional", "chain")
CONFIG: dict[str, Any] = {
    "models": ["oracle-bare", "primacy"],
    "tasks": [
        {"task": "s_rt", "context_lengths": [1000, 128_000], "depth_percents": [0, 50, 100]},
        *[{"task": name} for name in discover_tasks() if name not in ("s_rt", "m_rs", "key_value")],
        {"task": "key_value", "context_lengths": [128_000], "depth_percents": [50]},
        *[{"task": "m_rs", "parameters": {"reasoning": kind}} for kind in REASONING],
        {"task": "m_rt", "num_needles": [2, 6], "parameters": {"scorer": "exact"}},
        {"task": "atc", "parameters": {"hops": 5}},
    ],
    "context_lengths": [800, 2000],
    "depth_percents": [0, 100],
    "trials_per_cell": 3,
    "concurrency": 4,
}


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory, rule_assistants: str) -> bytes:
    """The result of an experiment on all eight tasks, to 128k tokens, in three trials."""
    folder = tmp_path_factory.mktemp("whole")
    listed = "".join(
        f"- {{name: {name}, backend: openai, model: {name}, base_url: '{rule_assistants}', api_key_env: null, "
        "context_window: 131072}\n"
        for name in CONFIG["models"]
    )
    (folder / "spaces.yaml").write_text(f"spaces:\n{listed}")
    settings = Settings(home=folder / "home", spaces=folder / "spaces.yaml", judge="local")

    async def run() -> bytes:
        async with open_service(settings, executor="cli-whole") as service:
            plan = plan_experiment(experiment_of(CONFIG))
            started = await service.runs.submit(plan, "niah.xlsx", RunOptions(), user=User())
            ended = await asyncio.wait_for(service.runs.wait(started.id, user=User()), 240)
            assert ended.state == "ready"
            return (await service.runs.workbook(started.id, user=User())).content

    return asyncio.run(run())


def blocks(sheet: Any) -> dict[str, list[list[Any]]]:
    """Return title → lines (without trailing empty cells) of the blocks of a sheet."""
    found: dict[str, list[list[Any]]] = {}
    title = ""
    for row in sheet.iter_rows(values_only=True):
        cells = list(row)
        while cells and cells[-1] is None:
            cells.pop()
        if not cells:
            title = ""
        elif not title:
            title = str(cells[0])
            found[title] = []
        else:
            found[title].append(cells)
    return found


@pytest.mark.slow
def test_the_oracle_is_right_on_every_task_to_128k(result: bytes) -> None:
    """Every cell of it scores 1; of two values the other assistant takes the first."""
    found = {(one.assistant, one.task): one for one in aggregate(outcomes(read(result)))}
    assert {task for _, task in found} == set(discover_tasks())
    for task in discover_tasks():
        one = found["oracle-bare", task]
        assert one.mean is not None
        assert (task, one.mean.value, one.excluded) == (task, 1.0, {})
    assert (found["primacy", "conflicting"].primacy, found["oracle-bare", "conflicting"].recency) == (1.0, 1.0)
    assert max(cell.context_length for cell in found["oracle-bare", "s_rt"].heatmap) == 128_000


@pytest.mark.slow
def test_the_heat_map_is_what_the_cells_say(result: bytes) -> None:
    """Recomputed from the sheet NIAH: every mean at its length and depth, and none besides."""
    said = blocks(openpyxl.load_workbook(io.BytesIO(result))["Heatmap"])
    shown = {}
    for title, (lengths, *lines) in list(said.items())[1:]:
        assistant, task = title.split(" · ")
        for depth, *means in lines:
            for length, mean in zip(lengths[1:], means, strict=True):
                shown[assistant, task, length, depth / 100] = mean
    expected = {
        (one.assistant, one.task, cell.context_length, cell.depth): pytest.approx(cell.mean.value)
        for one in aggregate(outcomes(read(result)))
        for cell in one.heatmap
    }
    assert {place: mean for place, mean in shown.items() if mean is not None} == expected


@pytest.mark.slow
def test_the_summary_is_what_the_cells_say(result: bytes) -> None:
    """Means, intervals, bands, counts, rates and patterns, recomputed from the sheet NIAH."""
    said = blocks(openpyxl.load_workbook(io.BytesIO(result))["Summary"])
    found = aggregate(outcomes(read(result)))
    for line, one in zip(said["Scores"][1:], found, strict=True):
        mean = one.mean
        assert mean is not None
        figures = [mean.value, mean.low, mean.high]
        assert line[:2] == [one.assistant, one.task]
        assert line[2:5] == pytest.approx(figures)
        assert line[5:8] == [one.band, mean.cells, mean.trials]
        assert line[8:] == [one.excluded.get(name, 0) for name in ("cut", "empty", "failed", "skipped")]
    for title, of in (("By length", "by_length"), ("By needles", "by_needles"), ("By hops", "by_hops")):
        expected = [
            [one.assistant, one.task, value, pytest.approx(mean.value), pytest.approx(mean.low),
             pytest.approx(mean.high), mean.trials]
            for one in found for value, mean in getattr(one, of).items()
        ]  # fmt: skip
        assert said[title][1:] == expected
    rates = [[one.primacy, one.recency] for one in found if one.task == "conflicting"]
    assert [line[2:4] for line in said["Positions"][1:]] == rates
    patterns = [[one.assistant, one.task, each.name, each.sentence] for one in found for each in interpret(one)]
    assert [line[:4] for line in said["Patterns"][1:]] == patterns


@pytest.mark.slow
def test_the_run_says_what_is_needed_to_repeat_it(result: bytes) -> None:
    """Version, models, config with its hash, haystack, tokenizer."""
    told = read(result).niah.told  # type: ignore[union-attr]
    assert told["Tokenizer of all lengths"] == "cl100k_base"
    assert told["Three trials a cell or more"] == "yes"
    assert len(told["Config sha256"]) == 64
    assert told["synthetic"].startswith("written by flagbook ")
    lines = blocks(openpyxl.load_workbook(io.BytesIO(result))["Run"])["Assistants"]
    assert lines[1][:3] == ["oracle-bare", "openai", "oracle-bare-1"]


@pytest.mark.slow
def test_libreoffice_opens_and_draws_it(result: bytes, tmp_path: Path) -> None:
    """All sheets come through a conversion, with their charts."""
    (tmp_path / "r.xlsx").write_bytes(result)
    command = [
        "soffice",
        "--headless",
        f"-env:UserInstallation=file://{tmp_path}/p",
        "--convert-to",
        "xlsx:Calc MS Excel 2007 XML",
    ]
    subprocess.run([*command, "--outdir", str(tmp_path / "o"), str(tmp_path / "r.xlsx")], check=True, timeout=120)
    book = openpyxl.load_workbook(tmp_path / "o" / "r.xlsx")
    assert book.sheetnames == ["NIAH", "Experiment", *ADDED, "Run"]
    kinds = [type(chart).__name__ for chart in book["Charts"]._charts]
    assert (kinds[0], set(kinds[1:]), len(kinds)) == ("RadarChart", {"LineChart"}, 1 + len(discover_tasks()))
