"""Everything of flagbook that touches the world; what it thinks of an answer lives in `flags`."""

__version__ = "0.1.0"
