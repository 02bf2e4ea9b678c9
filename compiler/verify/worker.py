"""The process that checks files one after another, until one of them ends it."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NoReturn

from dxir.runtime import contained_messages as messages
from dxir.runtime.contained_messages import Message
from dxir.verify.contents import Contained, check_data, unreadable
from dxir.verify.fixed import Fixed, Left
from dxir.verify.rewriting import fix_file
from dxir.verify.settings import Settings
from dxir.verify.stages import READING_FILE, STARTING, TELLING, Board

NO_MEMORY = 77
"""The exit code of a worker that could have no more memory."""


def work(channel: socket.socket, board: Board, settings: Sequence[Settings]) -> NoReturn:
    """Do what comes over a channel until it is closed."""
    code = 0
    try:
        while True:
            message, descriptors = messages.receive(channel)
            answer = _answer(message, descriptors, board, settings)
            board.enter(TELLING)
            messages.send(channel, answer)
            board.enter(STARTING)
    except messages.Ended:
        pass
    except MemoryError:
        code = NO_MEMORY
    except BaseException:  # noqa: BLE001  the supervisor tells of it, whatever it is
        import traceback

        traceback.print_exc()
        code = 1
    # At once: tearing a damaged module down is one more way to crash.
    os._exit(code)


def _answer(
    message: Message, descriptors: list[int], board: Board, settings: Sequence[Settings]
) -> Message:
    chosen, name = settings[message["settings"]], message["name"]
    board.enter(READING_FILE)
    contained = Contained(board, message["memory"], message["without"])
    try:
        if message["do"] == "fix":
            return {"fixed": fix_file(message["path"], name, chosen, contained).as_dict()}
        data = _read(message, descriptors)
    except OSError as error:
        report = unreadable(name, error.strerror or str(error), chosen)
        left = [Left(finding, "the file cannot be read") for finding in report.findings]
        return {
            "report": report.as_dict(),
            "digest": None,
            "reads": None,
            "fixed": Fixed(name, left=tuple(left)).as_dict(),
        }
    checked = check_data(data, name, chosen, contained)
    return {
        "report": checked.report.as_dict(),
        "digest": sha256(data).hexdigest(),
        "reads": checked.reads,
    }


def _read(message: Message, descriptors: list[int]) -> bytes:
    where: Any = descriptors[0] if descriptors else os.fsencode(message["path"])
    with open(where, "rb") as file:
        file.seek(0)
        return file.read()
