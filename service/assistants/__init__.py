"""Spaces and the assistants behind them; every public module of this package is a backend, `ls` is the list."""

from service.assistants._assistant import (
    Assistant,
    Backend,
    Chat,
    ChatReply,
    Chats,
    Kit,
    PlannedCall,
    Reader,
    calls_of,
    open_assistant,
)
from service.assistants._discover import backends
from service.assistants._files import find_files, missing, read_library
from service.assistants._space import Space
from service.assistants._spaces_file import load_spaces

__all__ = [
    "Assistant",
    "Backend",
    "Chat",
    "ChatReply",
    "Chats",
    "Kit",
    "PlannedCall",
    "Reader",
    "Space",
    "backends",
    "calls_of",
    "find_files",
    "load_spaces",
    "missing",
    "open_assistant",
    "read_library",
]
