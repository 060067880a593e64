"""What a run is started with is what it is continued with."""

from pathlib import Path
from typing import Any

import pytest

from service.assistants import Space
from service.errors import OptionsRefused
from service.runs import RunOptions
from service.runs._judging import Judging
from service.runs._plan import Plan, make_plan
from service.settings import Settings


def plan(process: dict[str, Any], space: dict[str, Any], **options: Any) -> Plan:
    """A plan over the space Law."""
    spaces = [Space(name="Law", backend="echo", flags=space)]
    return make_plan(spaces, RunOptions(**options), Settings(home=Path("h"), flags=process), ask=True)


@pytest.mark.parametrize(
    ("process", "space", "run", "threshold"),
    [
        (None, None, None, 0.92),
        (0.9, None, None, 0.9),
        (0.9, 0.8, None, 0.8),
        (0.9, 0.8, 0.7, 0.7),
        (None, None, 0.7, 0.7),
    ],
)
def test_the_nearer_setting_of_a_flag_wins(
    process: float | None, space: float | None, run: float | None, threshold: float
) -> None:
    """The process's first, over them the space's, over them the run's."""
    layers = [{"embedding": {"threshold": value}} if value else {} for value in (process, space, run)]
    made = plan(layers[0], layers[1], flags=layers[2])
    assert made.flags_of("Law")["embedding"].threshold == threshold  # type: ignore[attr-defined]


def test_rows_without_a_space_are_judged_with_the_process_settings() -> None:
    """Given answers of another system have no space of ours."""
    made = plan({"embedding": {"threshold": 0.5}}, {"embedding": {"threshold": 0.8}})
    assert made.flags_of("Their bot")["embedding"].threshold == 0.5  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("judge", "process", "run", "thorough"),
    [
        ("llm", False, None, False),
        ("llm", True, None, True),
        ("llm", False, True, True),
        ("llm", True, False, False),
        ("local", True, True, False),
    ],
)
def test_whether_the_judge_is_asked_in_both_orders_is_chosen_like_the_judge(
    judge: Any, process: bool, run: bool | None, thorough: bool
) -> None:
    """The run's choice wins over the process's; the rules of the local judge know no order."""
    settings = Settings(home=Path("h"), judge=judge, judge_thorough=process)
    made = make_plan([], RunOptions(thorough=run), settings, ask=True)
    assert Judging.of(made.judging).thorough is thorough


def test_which_flags_count_is_a_setting_of_final() -> None:
    """A run's own choice wins; none leaves it to the space."""
    space = {"final": {"counts": ["contradiction"]}}
    assert plan({}, space).flags_of("Law")["final"].counts == ("contradiction",)  # type: ignore[attr-defined]
    chosen = plan({}, space, counts=("extent", "source"))
    assert chosen.flags_of("Law")["final"].counts == ("extent", "source")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "options",
    [
        {"flags": {"embeding": {"threshold": 0.9}}},
        {"flags": {"embedding": {"treshold": 0.9}}},
        {"flags": {"embedding": {"threshold": "high"}}},
        {"counts": ("nonsense",)},
        {"counts": ()},
    ],
)
def test_flags_that_do_not_exist_are_refused_before_anything_is_asked(options: dict[str, Any]) -> None:
    """The person hears of it at upload, not in row 3,000."""
    with pytest.raises(OptionsRefused):
        plan({}, {}, **options)


def test_a_plan_survives_being_stored() -> None:
    """Spaces, settings and judge come back as they were."""
    made = plan({"embedding": {"threshold": 0.5}}, {"final": {"counts": ["source"]}}, judge="local")
    assert Plan.model_validate(made.model_dump(mode="json")) == made


@pytest.mark.parametrize(
    ("chosen", "key", "judge"),
    [("auto", "", "local"), ("auto", "k", "llm"), ("local", "k", "local"), ("llm", "", "llm"), (None, "k", "llm")],
)
def test_auto_takes_the_llm_when_its_key_is_set(
    monkeypatch: pytest.MonkeyPatch, chosen: Any, key: str, judge: str
) -> None:
    """The decision is kept with the run: a restart without the key does not judge otherwise."""
    monkeypatch.setenv("OPENAI_API_KEY", key)
    assert plan({}, {}, judge=chosen).judging["judge"] == judge


def test_no_secret_is_kept_with_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys are named by their variables."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("FLAGBOOK_TOKEN", "tok-secret")
    assert "secret" not in plan({}, {}).model_dump_json()
