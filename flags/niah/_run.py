"""One cell from its spec to its score."""

import dataclasses
from typing import get_args

from flags.niah._corpora import Corpora
from flags.niah._discover import open_task
from flags.niah._errors import SpecRefused
from flags.niah._options import nearest
from flags.niah._task import Borrowed, Distribution, Score, Spec, Trial

LONGEST = 10_000_000
"""No document may be longer, in tokens: a typing error shall not fill the memory."""
INSTRUCTIONS = (
    "Read the document between the lines BEGIN and END, then answer the question from it alone. "
    "Be brief; when you explain, end with a line that begins with “Answer:”."
)


def make(spec: Spec, corpora: Corpora) -> Trial:
    """Return the trial of a cell; raise a `NiahError` that says what cannot be made."""
    check(spec)
    task = open_task(spec)
    if not task.has_filler:
        return task.make(spec, None, corpora.tokenizer)
    pad = bool(getattr(task, "pad", False))
    corpus = corpora.open(spec.haystack, spec.context_length, seed=spec.seed, pad=pad)
    return task.make(spec, corpus, corpora.tokenizer)


def check(spec: Spec) -> None:
    """Raise `SpecRefused` for a cell that no corpus could help: wrong task, parameter, length, depth or count."""
    task = open_task(spec)
    nearest(spec.distribution, ["", *get_args(Distribution)], "distribution", SpecRefused)
    if not 0 <= spec.depth <= 1:
        raise SpecRefused(f"The depth must lie between 0 and 1 (0 and 100 %), not {spec.depth:g}.")
    if not 1 <= spec.context_length <= LONGEST:
        raise SpecRefused(f"The context_length must lie between 1 and {LONGEST} tokens, not {spec.context_length}.")
    least, _, most = task.counts
    if spec.num_needles is not None and not least <= spec.num_needles <= most:
        wanted = f"{least}" if least == most else f"{least} to {most}"
        remedy = "Change num_needles." if task.has_filler else "Leave num_needles empty; its parameter is `hops`."
        raise SpecRefused(f"The task {spec.task} takes {wanted} needles, not {spec.num_needles}. {remedy}")


async def score(spec: Spec, trial: Trial, response: str, borrowed: Borrowed) -> Score:
    """Return what a response to a trial is worth; the spec's task and parameters say how."""
    return await open_task(spec).score(trial, response, borrowed)


def prompt(trial: Trial) -> str:
    """Return the one message that is sent: instructions, document, question."""
    return f"{INSTRUCTIONS}\n\nBEGIN\n{trial.document}\nEND\n\nQuestion: {trial.question}"


def overhead(trial: Trial, corpora: Corpora) -> int:
    """Return how many tokens the prompt has beside the document."""
    return corpora.tokenizer.count(prompt(dataclasses.replace(trial, document="")))
