"""Needle in a haystack: eight tasks that hide facts in long documents and score what a model finds.

Every public module of this package is a task; `ls` is the list. Tokenizer, embedder and judge are borrowed.
"""

from flags.niah._task import (
    EXCLUDED,
    Borrowed,
    Category,
    Distribution,
    Needle,
    Score,
    Spec,
    Task,
    Tokenizer,
    Trial,
)

__all__ = [
    "EXCLUDED",
    "Borrowed",
    "Category",
    "Distribution",
    "Needle",
    "Score",
    "Spec",
    "Task",
    "Tokenizer",
    "Trial",
]
