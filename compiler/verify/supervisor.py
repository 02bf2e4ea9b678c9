"""The process that has workers check files, and tells how each of them came out.

`python -m dxir.verify.supervisor CHANNEL` imports what checks need, once, and forks workers, which
then have it all at once. It never looks at a module itself, and so nothing in one brings it down.
It ends, and all workers with it, when the other end of the channel is closed.
"""

from __future__ import annotations

import gc
import os
import selectors
import socket
import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dxir.children import cause_of, told
from dxir.errors import DxirError, RuntimeFailure
from dxir.runtime import contained_messages as messages
from dxir.runtime.contained_messages import Message
from dxir.verify import stopped
from dxir.verify.checking import in_order
from dxir.verify.contents import Contained, as_set, check_data
from dxir.verify.finding import Finding
from dxir.verify.fixed import Fixed, Left
from dxir.verify.forked import Worker
from dxir.verify.ids import own_ids
from dxir.verify.report import Report
from dxir.verify.rule import all_rules
from dxir.verify.settings import Settings
from dxir.verify.stages import Board
from dxir.verify.worker import NO_MEMORY

_WATCH_S = 0.05
_MOST_TASKS = 256  # what MLIR keeps of each file adds up
_MOST_BYTES = 1 << 30
_MOST_RULES_LOST = 8  # that may end a worker over one file
_OUT_OF_MEMORY = ("bad_alloc", "out of memory", "MemoryError", "Cannot allocate memory")


@dataclass(eq=False)
class Task:
    """A file to check; `stopped` is what is to be told of rules that ended a worker over it."""

    message: Message
    descriptors: list[int]
    stopped: list[Finding] = field(default_factory=list[Finding])

    def close(self) -> None:
        """Let go of what came with it."""
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors.clear()


class Supervisor:
    """Workers, and what they are to do."""

    def __init__(self, channel: socket.socket, settings: Sequence[Settings], jobs: int) -> None:
        self._channel = channel
        self._settings = settings
        self._jobs = jobs
        self._rules = tuple(all_rules())
        self._waiting: deque[Task] = deque()
        self._workers: list[Worker[Task]] = []
        self._orphaned, self._living = os.pipe()
        self._selector = selectors.DefaultSelector()
        self._selector.register(channel, selectors.EVENT_READ)

    def run(self) -> None:
        """Work until there is nobody to work for."""
        try:
            while True:
                self._hand_out()
                busy = any(worker.task is not None for worker in self._workers)
                for key, _ in self._selector.select(_WATCH_S if busy else None):
                    if key.data is None:
                        self._waiting.append(Task(*messages.receive(self._channel)))
                    else:
                        self._hear(key.data, key.fileobj)
                self._watch()
        except messages.Ended:
            pass
        finally:
            for worker in self._workers:
                worker.end()

    def _hand_out(self) -> None:
        """Give tasks to workers that have none; there are no more workers than tasks."""
        for worker in list(self._workers):
            if worker.task is None and (
                worker.tasks_done >= _MOST_TASKS or worker.memory() > _MOST_BYTES
            ):
                self._dismiss(worker)
        while self._waiting:
            free = [worker for worker in self._workers if worker.task is None]
            chosen = free[0] if free else self._hire()
            if chosen is None:
                return
            chosen.give(task := self._waiting.popleft(), task.message, task.descriptors)

    def _hire(self) -> Worker[Task] | None:
        """Another worker; None when there are enough, or as many as there can be."""
        if len(self._workers) >= self._jobs:
            return None
        try:
            worker: Worker[Task] = Worker(
                self._settings, self._rules, self._orphaned, self._descriptors()
            )
        except OSError as error:
            if self._workers:
                self._jobs = len(self._workers)
                return None
            raise RuntimeFailure(
                f"no process can be started to check files: {error.strerror or error}"
            ) from None
        self._workers.append(worker)
        self._selector.register(worker.channel, selectors.EVENT_READ, worker)
        self._selector.register(worker.heard, selectors.EVENT_READ, worker)
        return worker

    def _descriptors(self) -> list[int]:
        """What is open here and not for a worker to have."""
        found = [self._channel.fileno(), self._living]
        for worker in self._workers:
            found += [worker.channel.fileno(), worker.heard]
        return found

    def _dismiss(self, worker: Worker[Task]) -> int:
        """Let a worker go; its exit code."""
        self._workers.remove(worker)
        for source in (worker.channel, worker.heard):
            if source in self._selector.get_map():
                self._selector.unregister(source)
        return worker.end()

    def _hear(self, worker: Worker[Task], source: Any) -> None:
        if worker not in self._workers:  # it was let go since
            return
        if source == worker.heard:
            if not worker.listen():
                self._selector.unregister(source)
            return
        try:
            answer, descriptors = messages.receive(worker.channel)
        except messages.Ended:
            self._died(worker)
            return
        for descriptor in descriptors:  # it has none to give
            os.close(descriptor)
        task = worker.take_back()
        if task is not None:
            self._tell(task, answer)

    def _watch(self) -> None:
        """End workers that take too long, or too much."""
        for worker in list(self._workers):
            if worker.task is None:
                continue
            name, given = worker.task.message["name"], worker.task.message
            stage = worker.board.stage
            if given["seconds"] is not None and worker.seconds > given["seconds"]:
                self._stop(worker, stopped.overdue(name, stage, given["seconds"]))
            elif given["memory"] is not None and worker.memory() > given["memory"]:
                self._stop(worker, stopped.out_of_memory(name, stage, given["memory"]))

    def _died(self, worker: Worker[Task]) -> None:
        """A worker ended by itself."""
        code = self._dismiss(worker)
        if worker.task is None:
            return
        given, stage = worker.task.message, worker.board.stage
        if code in (NO_MEMORY, -9) or any(w in worker.words for w in _OUT_OF_MEMORY):
            found = stopped.out_of_memory(given["name"], stage, given["memory"])
        else:
            found = stopped.crashed(given["name"], stage, cause_of(code), worker.words)
        self._again(worker, found)

    def _stop(self, worker: Worker[Task], found: Finding) -> None:
        self._dismiss(worker)
        self._again(worker, found)

    def _again(self, worker: Worker[Task], found: Finding) -> None:
        """Have the file checked again without the rule that ended the worker, if one did."""
        task, rule = worker.task, worker.board.rule
        assert task is not None
        task.stopped.append(found)
        if task.message["do"] == "fix":
            left = Left(found, "the file was left as it was")
            self._tell(task, {"fixed": Fixed(task.message["name"], left=(left,)).as_dict()})
        elif rule is None or len(task.stopped) > _MOST_RULES_LOST:
            self._tell(task, {"report": Report(task.message["name"]).as_dict(), "digest": None})
        else:
            task.message["without"] = [*task.message["without"], rule]
            self._waiting.appendleft(task)

    def _tell(self, task: Task, answer: Message) -> None:
        """Tell what came of a task."""
        if task.stopped and "report" in answer:
            report = Report.from_dict(answer["report"])
            found = as_set(task.stopped, self._settings[task.message["settings"]])
            report = replace(report, findings=in_order((*found, *report.findings)))
            answer = {**answer, "report": report.as_dict(), "reads": None}
        task.close()
        messages.send(self._channel, {**answer, "number": task.message["number"]})


def _own_rules() -> Settings:
    """The settings with which dxir's own rules run alone; what others do may end a process."""
    own = set(own_ids())
    return Settings(ignore=tuple([id for id in all_rules() if id not in own]))


def _serve(channel: socket.socket) -> None:
    """Do what the other end of the channel asks for."""
    try:
        start, _ = messages.receive(channel)
        sys.path[:] = start["path"]
        try:
            settings = [Settings.from_dict(each) for each in start["settings"]]
            for each in settings:
                each.rules()
            # What is imported and made by now, no worker has to import and make.
            check_data(b"module {}", "empty.mlir", _own_rules(), Contained(Board()))
            gc.collect()
            gc.freeze()
            Supervisor(channel, settings, start["jobs"]).run()
        except DxirError as error:
            messages.send(channel, {"error": told(error)})
    except messages.Ended:
        pass


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
