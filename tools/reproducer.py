"""Crash reproducers in MLIR's form: a module that carries the pipeline it fails in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dxir.errors import ParseError, PassError
from dxir.mlir import IrOperation
from dxir.pipeline.steps import Step, steps_text
from dxir.quoting import QUOTED, quoted, unquoted
from dxir.whole_files import write_file

_SECTION = re.compile(r"\{-#(?:(?!#-\}).)*?\bmlir_reproducer\s*:\s*\{(?P<body>.*)#-\}", re.DOTALL)
_PIPELINE = re.compile(rf"\bpipeline\s*:\s*(?P<text>{QUOTED})")
_VERIFY = re.compile(r"\bverify_each\s*:\s*(true|false)")


@dataclass(frozen=True, slots=True)
class Reproducer:
    """What a reproducer says is to be run."""

    pipeline: str
    verify_each: bool


def reproducer_text(module: str, pipeline: str, *, verify_each: bool) -> str:
    """A module's text with the pipeline, which `--run-reproducer` runs on it."""
    section = (
        "\n{-#\n  external_resources: {\n    mlir_reproducer: {\n"
        f"      pipeline: {quoted(pipeline)},\n"
        "      disable_threading: true,\n"
        f"      verify_each: {str(verify_each).lower()}\n    }}\n  }}\n#-}}\n"
    )
    return module.rstrip("\n") + "\n" + section


def write_reproducer(path: str, op: IrOperation, steps: Sequence[Step], verify: bool) -> None:
    """Write the reproducer of steps to a file, whole or not at all."""
    data = op.get_asm(binary=True, enable_debug_info=True, assume_verified=True)
    assert isinstance(data, bytes)
    module = data.decode("utf-8", "replace")
    text = reproducer_text(module, steps_text(steps, op.name), verify_each=verify)
    try:
        write_file(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise PassError(
            f"the crash reproducer cannot be written: {error.strerror or error}", where=path
        ) from None


def read_reproducer(text: str, name: str) -> Reproducer:
    """What the reproducer in a file's text says; ParseError when there is none."""
    section = _SECTION.search(text)
    pipeline = _PIPELINE.search(section["body"]) if section else None
    if section is None or pipeline is None:
        raise ParseError(
            "the file holds no reproducer",
            where=name,
            hint="a reproducer ends in {-# external_resources: { mlir_reproducer: { pipeline: "
            '"...", ... } } #-}, as --mlir-pass-pipeline-crash-reproducer=FILE writes it',
        )
    verify = _VERIFY.search(section["body"])
    return Reproducer(unquoted(pipeline["text"]), verify is None or verify[1] == "true")


_ENTRY = re.compile(rf'\bmlir_reproducer\s*:\s*\{{(?:{QUOTED}|[^"}}])*\}}\s*,?')


def without_reproducer(text: str) -> str:
    """The text without what `read_reproducer` reads, of which MLIR would warn."""
    section = _SECTION.search(text)
    if section is None:
        return text
    start = section.start()
    return text[:start] + _ENTRY.sub("", text[start:], count=1)
