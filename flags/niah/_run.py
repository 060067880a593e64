"""One cell from its spec to its score."""

import dataclasses

from flags.niah._corpora import Corpora
from flags.niah._discover import open_task
from flags.niah._task import Borrowed, Score, Spec, Trial

INSTRUCTIONS = (
    "Read the document between the lines BEGIN and END, then answer the question from it alone. "
    "Be brief; when you explain, end with a line that begins with “Answer:”."
)


def make(spec: Spec, corpora: Corpora) -> Trial:
    """Return the trial of a cell; raise a `NiahError` that says what cannot be made."""
    task = open_task(spec)
    if not task.has_filler:
        return task.make(spec, None, corpora.tokenizer)
    pad = bool(getattr(task, "pad", False))
    corpus = corpora.open(spec.haystack, spec.context_length, seed=spec.seed, pad=pad)
    return task.make(spec, corpus, corpora.tokenizer)


async def score(spec: Spec, trial: Trial, response: str, borrowed: Borrowed) -> Score:
    """Return what a response to a trial is worth; the spec's task and parameters say how."""
    return await open_task(spec).score(trial, response, borrowed)


def prompt(trial: Trial) -> str:
    """Return the one message that is sent: instructions, document, question."""
    return f"{INSTRUCTIONS}\n\nBEGIN\n{trial.document}\nEND\n\nQuestion: {trial.question}"


def overhead(trial: Trial, corpora: Corpora) -> int:
    """Return how many tokens the prompt has beside the document."""
    return corpora.tokenizer.count(prompt(dataclasses.replace(trial, document="")))
