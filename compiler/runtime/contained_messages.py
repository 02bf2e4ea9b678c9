"""What a contained program's two processes tell each other: JSON, with descriptors of memory."""

from __future__ import annotations

import array
import json
import os
import socket
import struct
from collections.abc import Sequence
from typing import Any

Message = dict[str, Any]

STAGES = ("starting", "compiling", "running", "reading the results")
"""What the child does; the first byte of the board is the number of one.

The parent sets it when it asks for something, the child when it goes over to another.
"""

STARTING, COMPILING, RUNNING, READING = range(len(STAGES))

ASKS = {"start": STARTING, "compile": COMPILING, "run": RUNNING, "read": READING}
"""What can be asked for, with what the child does then."""

BOARD_START = 64
"""Where small results lie on the board, the memory that both have all the time."""

BOARD_BYTES = 1 << 20

MOST_DESCRIPTORS = 128
"""How many segments a message may bring; the system takes 253 descriptors at a time."""

_HEAD = struct.Struct("=II")  # bytes of text, descriptors
_MOST_BYTES = 1 << 30
_CHUNK = 1 << 16


class Ended(Exception):
    """The other side is gone, or what it sent is no message."""


def send(channel: socket.socket, message: Message, descriptors: Sequence[int] = ()) -> None:
    """Send a message; Ended when nobody is there to take it."""
    text = json.dumps(message).encode()
    head = _HEAD.pack(len(text), len(descriptors))
    try:
        sent = socket.send_fds(channel, [head], descriptors) if descriptors else 0
        channel.sendall(head[sent:] + text)
    except OSError:
        raise Ended from None


def receive(channel: socket.socket) -> tuple[Message, list[int]]:
    """The next message, and its descriptors, which are the receiver's to close; or Ended."""
    descriptors: list[int] = []
    try:
        head = _received(channel, _HEAD.size, descriptors)
        size, count = _HEAD.unpack(head)
        if size > _MOST_BYTES or count != len(descriptors):
            raise Ended
        message = json.loads(_received(channel, size, descriptors))
    except (OSError, ValueError, Ended):
        for descriptor in descriptors:
            os.close(descriptor)
        raise Ended from None
    if not isinstance(message, dict):
        raise Ended
    return message, descriptors


def _received(channel: socket.socket, size: int, descriptors: list[int]) -> bytes:
    parts: list[bytes] = []
    while size:
        room = socket.CMSG_SPACE(MOST_DESCRIPTORS * array.array("i").itemsize)
        data, controls, _, _ = channel.recvmsg(min(size, _CHUNK), room)
        for level, kind, content in controls:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                found = array.array("i")
                found.frombytes(content[: len(content) - len(content) % found.itemsize])
                descriptors += found
        if not data:
            raise Ended
        parts.append(data)
        size -= len(data)
    return b"".join(parts)
