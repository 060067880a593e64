"""A judge without a language model: rules on words, numbers, dates, names and negations in en, de, fr and it."""

from flags._local._judge import LocalJudge

__all__ = ["LocalJudge"]
