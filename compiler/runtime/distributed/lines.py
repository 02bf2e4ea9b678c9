"""Messages over a connection: an object in JSON on a line each."""

from __future__ import annotations

import json
import socket
from typing import Any

Message = dict[str, Any]

PROTOCOL = "dxir-coordinator 1"
MOST_BYTES = 1 << 20
"""How long a message of one process may be: longer ones are none of ours."""


class NotOurs(Exception):
    """What came is no message."""


def written(message: Message) -> bytes:
    """The message as it is sent."""
    # As UTF-8, even of halves of surrogate pairs: escapes would be up to three times as long.
    return json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


class Lines:
    """What has come over a connection, cut into messages."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._left = b""
        self._most_bytes = most_bytes

    def add(self, data: bytes) -> list[Message]:
        """The messages that are complete with this; NotOurs for what is none."""
        *whole, self._left = (self._left + data).split(b"\n")
        if len(self._left) > self._most_bytes:
            raise NotOurs
        return [_message(line) for line in whole]


def _message(line: bytes) -> Message:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise NotOurs from None
    if not isinstance(found, dict):
        raise NotOurs
    return found


def send(connection: socket.socket, message: Message) -> bool:
    """Send a message; False where nobody is there any more."""
    try:
        connection.sendall(written(message))
    except OSError:
        return False
    return True
