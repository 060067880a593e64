"""A report holds the same figures in every form, and nothing in it can run."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from flags.niah import Experiment, Outcome, aggregate
from service.reports import Study, checklist, write_report

CONFIG = {
    "name": "Long <b>contracts</b> & $more$",
    "models": [{"name": "sound", "version": "sound-2026-01"}, {"name": "_<i>forgets</i>"}],
    "tasks": ["s_rt", "m_rt", "atc", "conflicting"],
    "context_lengths": [1000, 2000, 4000],
    "depth_percents": [0, 50, 100],
    "num_needles": [2, 4],
    "trials_per_cell": 3,
}
TOLD = {"flagbook": "0.1.0", "synthetic": "written by flagbook 0.1.0 from the seed"}


def cells(config=None):
    """Return (assistant, spec, score, category) of every cell."""
    for assistant, spec in Experiment.of({**CONFIG, **(config or {})}).specs():
        lost = assistant != "sound" and spec.depth == 0.5 and spec.task == "s_rt"
        score = 0.0 if lost else 1.0
        category = "wrong" if lost else "correct"
        if spec.task == "conflicting":
            category = "first" if lost else "last"
        yield assistant, spec, score, category


def a_study(**config):
    """Return the experiment, one of its cells failed."""
    found = list(cells(config))
    assistant, spec, *_ = found[-1]
    found[-1] = (assistant, spec, None, "failed")
    names = ("Assistant", "task", "context_length", "answer", "score", "category")
    rows = [(name, spec.task, spec.context_length, "=1+1", score, kind) for name, spec, score, kind in found]
    return Study(
        config={**CONFIG, **config},
        told=TOLD,
        cells=[{"id": number, **dict(zip(names, row, strict=True))} for number, row in enumerate(rows, start=1)],
        outcomes=[Outcome(assistant=name, spec=spec, score=score, category=kind) for name, spec, score, kind in found],
    )


@pytest.fixture
def study():
    """The experiment."""
    return a_study()


class Page(HTMLParser):
    """Collects the tags of a page, and the addresses it loads something from."""

    def __init__(self):
        super().__init__()
        self.tags, self.loads, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        """Note the tag."""
        self.tags.append(tag)
        self.loads += [value for name, value in attrs if name in ("src", "href", "xlink:href")]

    def handle_data(self, data):
        """Note the text."""
        self.text.append(data)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The report, written once for all tests."""
    folder = tmp_path_factory.mktemp("report") / "made by the report"
    return {path.name: path for path in write_report(a_study(), folder)}


def test_every_figure_is_there_as_png_and_svg(written):
    """Heatmaps, the radar over tasks, and lines by length, needles and hops where they have more than one point."""
    names = {Path(name).stem for name in written if name.endswith(".png")}
    assert {f"{name}.svg" for name in names} == {name for name in written if name.endswith(".svg")}
    assert {"heatmap_sound_s-rt", "heatmap_i-forgets--i_s-rt", "radar", "by-length_s-rt", "by-needles_m-rt"} <= names
    assert all(written[f"{name}.png"].read_bytes().startswith(b"\x89PNG") for name in names)


def test_a_heatmap_shows_the_means_of_its_cells(written):
    """The numbers in the drawing are those of the aggregate, the name of the assistant stands above them."""
    texts = [found.text or "" for found in ElementTree.parse(written["heatmap_i-forgets--i_s-rt.svg"]).iter()]
    assert sorted(text for text in texts if re.fullmatch(r"[01]\.\d\d", text)) == ["0.00"] * 3 + ["1.00"] * 6
    assert any("_<i>forgets</i> · S-RT" in text for text in texts)


def test_the_page_needs_nothing_else_and_runs_nothing(written):
    """Names from the workbook stand in it as text; no script, no frame, no address is loaded."""
    source = written["report.html"].read_text(encoding="utf-8")
    page = Page()
    page.feed(source)
    assert "Long <b>contracts</b> & $more$" in "".join(page.text)
    assert not {"script", "iframe", "link", "b", "i", "object"} & set(page.tags)
    assert all(load.startswith(("#", "data:")) for load in page.loads)
    assert page.tags.count("svg") == len([name for name in written if name.endswith(".svg")])
    assert "lost in the middle" in source
    assert "Content-Security-Policy" in source


def test_json_and_csv_hold_the_same_scores(written, study):
    """Both are those that the cells give."""
    told = json.loads(written["results.json"].read_bytes())
    lines = list(csv.DictReader(io.StringIO(written["scores.csv"].read_text(encoding="utf-8-sig"))))
    expected = [(found.assistant, found.task, found.mean.value) for found in aggregate(study.outcomes)]
    assert [(each["assistant"], each["task"], each["mean"]["value"]) for each in told["scores"]] == expected
    assert [line["task"] for line in lines] == [task for _, task, _ in expected]
    assert [float(line["mean"]) for line in lines] == pytest.approx([mean for *_, mean in expected])
    assert sum(int(line["failed"]) for line in lines) == 1
    assert told["config"] == dict(study.config)
    assert len(told["cells"]) == len(study.cells)


def test_a_text_in_the_csv_cannot_become_a_formula(written):
    """An answer `=1+1` is text for a spreadsheet."""
    lines = list(csv.DictReader(io.StringIO(written["cells.csv"].read_text(encoding="utf-8-sig"))))
    assert {line["answer"] for line in lines} == {"'=1+1"}
    assert lines[-1]["score"] == ""


def test_the_same_experiment_gives_the_same_files(written, study, tmp_path):
    """Byte for byte, so that a report can be compared and kept under version control."""
    for path in write_report(study, tmp_path):
        assert path.read_bytes() == written[path.name].read_bytes(), path.name


def test_the_checklist_is_filled_in_from_the_run(study):
    """What holds rests on what was recorded; what is missing is named."""
    lines = {line.item: line for line in checklist(study)}
    assert [line.item for line in lines.values() if not line.holds] == ["exact model versions recorded"]
    assert lines["exact model versions recorded"].found == "sound: sound-2026-01; _<i>forgets</i>: unknown"
    assert "from the seed" in lines["haystack source and hash recorded"].found
    assert lines["trials_per_cell ≥ 3"].found == "the fewest of any cell: 3"


@pytest.mark.parametrize(
    ("config", "item"), [({"trials_per_cell": 1}, "trials_per_cell ≥ 3"), ({"temperature": 0.7}, "temperature = 0")]
)
def test_the_checklist_says_what_does_not_hold(config, item):
    """A single trial, or a temperature above zero, is not for publication."""
    assert item in [line.item for line in checklist(a_study(**config)) if not line.holds]


def test_an_experiment_of_which_nothing_was_scored_has_a_report_too(tmp_path):
    """It says so, and draws nothing."""
    files = write_report(Study(config={}, told={}, cells=[], outcomes=[]), tmp_path)
    assert {path.name for path in files} == {"report.html", "results.json", "cells.csv", "scores.csv"}
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "nothing to draw" in page
    assert "has not been run yet" in page
