"""The commands of `dxir`: what each is called, what it is for, and where it is.

Nothing of a command is imported before it is asked for.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Command:
    """A command of `dxir`.

    `arguments` and `run` are where its command line is declared and what runs it, as
    `module:name` below `dxir.tools`. With `is_tool`, it is a tool with a grammar of its own, also
    installed as `dxir-NAME`: `arguments` is the dataclass of its options, `run` its module. A
    `contained` one runs in a child process, which may die of what it is given.
    """

    name: str
    help: str
    description: str
    arguments: str
    run: str
    example: str = ""
    contained: bool = False
    is_tool: bool = False

    def loaded(self, place: str) -> Any:
        """What is at a place of this command: its `run`, or its `arguments`."""
        module, _, name = place.partition(":")
        found = importlib.import_module(f"dxir.tools.{module}")
        return getattr(found, name) if name else found


def _tool(name: str, help: str, arguments: str) -> Command:
    return Command(name, help, "", arguments, name, is_tool=True)


COMMANDS = (
    _tool("opt", "run passes on a module", "arguments:OptArguments"),
    _tool(
        "translate",
        "convert a module, describe or interpret it",
        "translate_arguments:TranslateArguments",
    ),
    _tool("run", "run a module, or compare backends on it", "run_arguments:RunArguments"),
    _tool(
        "verify",
        "check modules by rules, in CI and at the desk",
        "verify_arguments:VerifyArguments",
    ),
    _tool("diff", "tell what two modules do not share", "diff_arguments:DiffArguments"),
    _tool(
        "reduce",
        "shrink a module that something goes wrong with",
        "reduce_arguments:ReduceArguments",
    ),
    _tool("launch", "run a program as several processes", "launch:LaunchArguments"),
    Command(
        "view",
        "look at a module: a page with its graph, or a graph for other tools",
        "Write a page that shows a module as a graph, with types, shardings, places and costs, and "
        "opens without a network; two modules, or one before and after passes, side by side. Or "
        "write the graph for Graphviz, for Model Explorer, or as JSON.",
        "view_arguments:add_arguments",
        "view:run",
        "model.mlir --passes=cse,dxir-recognize -o page.html",
        contained=True,
    ),
    Command(
        "cost",
        "tell what a run of a module costs: operations, bytes and memory, without compiling",
        "Tell what a run of a module costs, from its ops alone: operations, bytes read and "
        "written, what is held at a time, and seconds by the roofline model.",
        "cost_arguments:add_arguments",
        "cost:run",
        "model.mlir --by=op --top=10",
        contained=True,
    ),
    Command(
        "sharding",
        "tell how values lie on a mesh and why, what devices send, and what they hold",
        "Propagate the shardings of a module, and tell of every value how it lies and why, of "
        "every collective why it is there and what it sends, and what a device holds; of two "
        "modules or two shardings of one, side by side.",
        "sharding_arguments:add_arguments",
        "sharding:run",
        "model.mlir -o report.html",
        contained=True,
    ),
    Command(
        "approximations",
        "list what in a program is approximated, by how much and why",
        "List what passes replaced by something that computes other numbers.",
        "command_arguments:add_approximations",
        "list_approximations:run",
        "model.mlir",
        contained=True,
    ),
    Command(
        "can-run",
        "tell what a target will not take of a module, before compiling it",
        "Tell what a target will not take of a module, and what its pipeline would do about the "
        "rest. The exit code is 0 when the target takes it, otherwise 1.",
        "command_arguments:add_can_run",
        "can_run:run",
        "model.mlir --target=iree-cpu",
        contained=True,
    ),
    Command(
        "ops",
        "list the ops, or show one of them",
        "List the ops with what they mean, or show one with its examples.",
        "command_arguments:add_ops",
        "list_ops:run",
        "softmax",
    ),
    Command(
        "passes",
        "list the passes, or show one of them",
        "List the passes of dxir, of other packages and of this jaxlib's MLIR, or show one with "
        "its options.",
        "command_arguments:add_passes",
        "list_passes:run",
        "dxir-decompose",
    ),
    Command(
        "patterns",
        "list the patterns that recognition finds, or show one of them",
        "List what `dxir-recognize` finds, patterns of dxir and of other packages, with the "
        "composite that `dxir-coarsen` makes of each, or show one in full.",
        "command_arguments:add_patterns",
        "list_patterns:run",
        "attention",
    ),
    Command(
        "targets",
        "list the targets, or show one of them",
        "List the targets of dxir and of other packages, or show one in full.",
        "command_arguments:add_targets",
        "list_targets:run",
        "xla-cpu",
    ),
    Command(
        "cache",
        "show the compiled programs that are kept on disk, or remove them",
        "Show the compiled programs that are kept on disk for the next process, or remove them.",
        "command_arguments:add_cache",
        "cache:run",
        "clear --older-than=30",
    ),
    Command(
        "doctor",
        "tell what is installed, what works here, and what to do about the rest",
        "Look at versions, plugins, devices, targets, the cache and the environment, and run a "
        "small program. The exit code is 1 when there is a problem.",
        "command_arguments:add_doctor",
        "doctor:run",
        "--json",
    ),
    Command(
        "new",
        "write a starter project: a front end that emits StableHLO, with tests and CI",
        "Write a Python project with a tiny front end on dxir: a package, tests, and files for CI.",
        "command_arguments:add_new",
        "new:run",
        "my_frontend --path=projects",
    ),
    Command(
        "completion",
        "print a script that has a shell complete commands, options and names",
        "Print a script that has bash, zsh or fish complete the commands and options of dxir, and "
        "the names of passes, ops, patterns and targets.",
        "command_arguments:add_completion",
        "completion:run",
        "bash > ~/.local/share/bash-completion/completions/dxir",
    ),
    Command(
        "generate",
        "for work on dxir itself: write the files made from the registries",
        "Write the tables in docs/ and compiler/ops.pyi of a checkout.",
        "command_arguments:add_generate",
        "generating:run",
        "--check",
    ),
)
"""In the order in which they are listed."""


def find_command(name: str) -> Command | None:
    """The command of that name."""
    return next((command for command in COMMANDS if command.name == name), None)
