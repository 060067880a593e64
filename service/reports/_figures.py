"""The figures of a report: heatmaps, a radar over tasks, lines over lengths, needles and hops."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import TYPE_CHECKING, Any

from flags.niah import Aggregate, Mean
from service.reports._study import Study, title

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#1F3A5F", "#C0504D", "#2E6F73", "#E08E0B", "#7A4E9F", "#5B8C2A", "#B23A7F", "#6B7280")
_SCALE = ("#B2182B", "#F4A582", "#FDE9A9", "#A6D96A", "#1A9850")
_DARK = (0.12, 0.92)
"""Cells below the first or above the second mean are so dark that their number is written in white."""
_LEAST_CORNERS = 3
"""A radar with fewer tasks is a line; there is none then."""
_STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "svg.fonttype": "none",
    "svg.hashsalt": "flagbook",
    "axes.spines.top": False,
    "axes.spines.right": False,
}


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A figure under the name of its file, with a sentence that says what it shows to one who cannot see it."""

    name: str
    caption: str
    figure: "Figure"

    @cached_property
    def png(self) -> bytes:
        """Return the figure as dots; the same figure gives the same bytes."""
        return self._render("png", {"Software": "flagbook"})

    @cached_property
    def svg(self) -> bytes:
        """Return the figure as lines and texts; the same figure gives the same bytes."""
        return self._render("svg", {"Date": None, "Creator": "flagbook"})

    def _render(self, kind: str, metadata: dict[str, Any]) -> bytes:
        from matplotlib import rc_context

        buffer = BytesIO()
        with rc_context(_STYLE):
            self.figure.savefig(buffer, format=kind, dpi=160, metadata=metadata)
        return buffer.getvalue()


def pictures(study: Study) -> Iterator[Picture]:
    """Yield every figure the experiment has numbers for."""
    from matplotlib import rc_context

    with rc_context(_STYLE):
        yield from _all(study)


def _all(study: Study) -> Iterator[Picture]:
    names = _Names()
    for found in study.aggregates:
        if found.heatmap:
            yield _heatmap(names.of("heatmap", found.assistant, found.task), found)
    if len(study.tasks) >= _LEAST_CORNERS:
        yield _radar(names.of("radar"), study)
    for word, axis, values in _LINES:
        for task in study.tasks:
            series = {found.assistant: values(found) for found in study.of_task(task) if len(values(found)) > 1}
            if series:
                yield _lines(names.of(word, task), f"{title(task)} by {axis}", axis, series)


_LINES: Sequence[tuple[str, str, Callable[[Aggregate], Mapping[int, Mean]]]] = (
    ("by-length", "length in tokens", lambda found: found.by_length),
    ("by-needles", "number of needles", lambda found: found.by_needles),
    ("by-hops", "hops", lambda found: found.by_hops),
)


def _heatmap(name: str, found: Aggregate) -> Picture:
    from matplotlib.colors import LinearSegmentedColormap

    lengths = sorted({cell.context_length for cell in found.heatmap})
    depths = sorted({cell.depth for cell in found.heatmap})
    means = [[math.nan] * len(lengths) for _ in depths]
    for cell in found.heatmap:
        means[depths.index(cell.depth)][lengths.index(cell.context_length)] = cell.mean.value
    figure, axes = _canvas(2.4 + 0.75 * len(lengths), 1.8 + 0.42 * len(depths))
    colours = LinearSegmentedColormap.from_list("scores", _SCALE)
    drawn = axes.imshow(means, cmap=colours, vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(lengths)), [short(length) for length in lengths])
    axes.set_yticks(range(len(depths)), [f"{depth:.0%}" for depth in depths])
    axes.set(xlabel="length in tokens", ylabel="depth of the needle")
    axes.set_title(f"{found.assistant} · {title(found.task)}", loc="left", fontweight="bold", parse_math=False)
    for row, line in enumerate(means):
        for column, mean in enumerate(line):
            if not math.isnan(mean):
                colour = "black" if _DARK[0] < mean < _DARK[1] else "white"
                axes.text(column, row, f"{mean:.2f}", ha="center", va="center", color=colour, fontsize=9)
    figure.colorbar(drawn, ax=axes, label="mean score")
    caption = f"Mean score of {found.assistant} on {title(found.task)}, by length and depth of the needle."
    return Picture(name=name, caption=caption, figure=figure)


def _radar(name: str, study: Study) -> Picture:
    figure, axes = _canvas(6.4, 5.6, projection="polar")
    angles = [2 * math.pi * at / len(study.tasks) for at in range(len(study.tasks))]
    for assistant, colour in zip(study.assistants, _cycle(), strict=False):
        means = {
            found.task: found.mean.value for found in study.aggregates if found.assistant == assistant and found.mean
        }
        around = [means.get(task, math.nan) for task in study.tasks]
        axes.plot([*angles, angles[0]], [*around, around[0]], color=colour, marker="o", label=_plain(assistant))
        axes.fill(angles, [0 if math.isnan(mean) else mean for mean in around], color=colour, alpha=0.08)
    axes.set_xticks(angles, [title(task) for task in study.tasks])
    axes.set_yticks([0.2, 0.4, 0.6, 0.8, 1.0])
    axes.set_ylim(0, 1)
    axes.set_theta_zero_location("N")
    axes.set_theta_direction(-1)
    _legend(axes, len(study.assistants))
    caption = "Mean score of each assistant on every task; a round shape is a balanced assistant."
    return Picture(name=name, caption=caption, figure=figure)


def _lines(name: str, heading: str, axis: str, series: Mapping[str, Mapping[int, Mean]]) -> Picture:
    figure, axes = _canvas(7.2, 4.2)
    places = sorted({place for means in series.values() for place in means})
    for (assistant, means), colour in zip(series.items(), _cycle(), strict=False):
        at = [places.index(place) for place in means]
        axes.plot(at, [mean.value for mean in means.values()], color=colour, marker="o", label=_plain(assistant))
        low, high = [mean.low for mean in means.values()], [mean.high for mean in means.values()]
        axes.fill_between(at, low, high, color=colour, alpha=0.12)
    axes.set_xticks(range(len(places)), [short(place) for place in places])
    axes.set(xlabel=axis, ylabel="mean score, 95 % interval", ylim=(-0.02, 1.02))
    axes.set_title(heading, loc="left", fontweight="bold")
    axes.grid(axis="y", alpha=0.3)
    _legend(axes, len(series))
    return Picture(name=name, caption=f"{heading}: mean score of each assistant with its 95 % interval.", figure=figure)


def _canvas(width: float, height: float, **kinds: Any) -> "tuple[Figure, Any]":
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot(**kinds)


def _legend(axes: Any, count: int) -> None:
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=min(count, 3), frameon=False)


def _cycle() -> Iterator[str]:
    while True:
        yield from COLOURS


def _plain(name: str) -> str:
    """Return a name that a legend shows as it is: a leading underscore would hide it, a dollar begin a formula."""
    return ("\u200b" + name if name.startswith("_") else name).replace("$", r"\$")


def short(number: int) -> str:
    """Return a number of tokens as people say it: 4000 as 4k, 1048576 as 1M."""
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if number >= size:
            return f"{number / size:.4g}{unit}"
    return str(number)


class _Names:
    """Names of files, made of words a person chose; each is given once."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def of(self, *words: str) -> str:
        slug = "_".join("".join(each if each.isalnum() else "-" for each in word).strip("-")[:60] for word in words)
        name, number = slug, 1
        while name.casefold() in self._given:
            number += 1
            name = f"{slug}_{number}"
        self._given.add(name.casefold())
        return name
