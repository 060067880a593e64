"""An experiment on many workers and one PostgreSQL: every worker has the haystack, and all get the same work."""

import subprocess
from typing import Any

import pytest

from flags.niah import aggregate
from service.runs import experiment_of, plan_experiment
from service.workbook import outcomes, read

pytestmark = pytest.mark.slow

CONFIG: dict[str, Any] = {
    "models": ["oracle-bare", "slow"],
    "tasks": ["s_rt", "conflicting", "atc"],
    "context_lengths": [1000, 8000],
    "depth_percents": [0, 100],
    "trials_per_cell": 2,
    "haystack": "essays",
}


def test_two_workers_share_an_experiment_and_its_haystack(site: Any, rule_assistants: str) -> None:
    """The corpus is imported once, by a machine that runs nothing; a service is uploaded to, and all three work."""
    listed = "".join(
        f"- {{name: {name}, backend: openai, model: {name}, base_url: '{rule_assistants}', api_key_env: null}}\n"
        for name in CONFIG["models"]
    )
    (site.folder / "spaces.yaml").write_text(f"spaces:\n{listed}")
    site.environment |= {"FLAGBOOK_JUDGE": "local", "FLAGBOOK_SHARD_ROWS": "2", "FLAGBOOK_ROWS_AT_ONCE": "2"}
    essay = site.folder / "essay.txt"
    essay.write_text(
        "\n\n".join(f"In the year {1000 + n} nothing happened that anybody wrote down." for n in range(900))
    )
    importing: subprocess.Popen[str] = site.start("niah", "corpus", "add", "essays", str(essay))
    assert importing.wait(timeout=60) == 0
    assert importing.stdout is not None
    sha256 = importing.stdout.read().split()[-1]
    site.worker()
    site.worker()
    door = site.serve()
    plan = plan_experiment(experiment_of(CONFIG))
    cells = read(plan).niah.cells  # type: ignore[union-attr]
    run_id = door.upload(plan)
    view = door.ended(run_id)
    assert (view["state"], view["done"], view["total"], view["errors"]) == ("ready", len(cells), len(cells), 0)
    reading = read(door.workbook(run_id))
    assert reading.niah is not None
    assert reading.niah.told["essays"] == sha256
    assert len({lease for _, _, lease in site.rows(run_id)}) == 3
    found = aggregate(outcomes(reading))
    assert [one.mean.value for one in found if one.mean] == [1.0] * 6
    by_assistant = [
        [measured.question for number, measured in reading.niah.measured.items() if spaces[number] == name]
        for spaces in [{row.number: row.question.space for row in reading.rows}]
        for name in CONFIG["models"]
    ]
    assert by_assistant[0] == by_assistant[1]
