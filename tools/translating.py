"""What dxir-translate does with its input, chunk by chunk."""

from __future__ import annotations

from collections.abc import Sequence

from dxir.artifact import artifact_version, run_pipeline, serialize
from dxir.chunks import Chunk
from dxir.errors import DxirError, ParseError
from dxir.mlir import ir, make_context
from dxir.program import Program
from dxir.tools.check_text import with_checks
from dxir.tools.contained import stage
from dxir.tools.expectations import Expectations
from dxir.tools.messages import Reporter, reporting
from dxir.tools.output import Output, asm_text, bytecode
from dxir.tools.sources import ReadFailed, read_input, read_module, reading_seconds, split_input
from dxir.tools.translate_arguments import TranslateArguments
from dxir.versions import resolve_version

_DIALECTS = ("sdy", "mpmd", "interpreter")
_STRIP = "builtin.module(strip-debuginfo)"


def translate(arguments: TranslateArguments) -> int:
    """Do what a command line asks for; gives the exit code."""
    if arguments.form == "artifact":
        resolve_version(arguments.target)  # before any input is read
    data, name = read_input(arguments.input)
    output = Output(arguments.output, binary=_is_binary(arguments))
    expected = None
    if arguments.verify_diagnostics is not None:
        expected = Expectations(data, name, arguments.verify_diagnostics)
    translator = _Translator(arguments, output, expected)
    good = translator.run(split_input(data, name, arguments.split_input_file))
    if good:
        output.keep()
    return 0 if good else 1


def _is_binary(arguments: TranslateArguments) -> bool:
    return not arguments.interpret and not arguments.info and arguments.form != "text"


class _Translator:
    def __init__(
        self, arguments: TranslateArguments, output: Output, expected: Expectations | None
    ) -> None:
        self.arguments, self.output, self.expected = arguments, output, expected
        self.chunks_done = 0

    def run(self, chunks: Sequence[Chunk]) -> bool:
        """Process all chunks; whether all went as they should."""
        if self.arguments.interpret:
            from dxir.tools.interpreting import interpret_chunks

            written = interpret_chunks(chunks, self.arguments, self._read, self._told)
        else:
            written = (self._reported(chunk) for chunk in chunks)
        is_list = self.arguments.as_json and self.arguments.split_input_file is not None
        between = b""
        if not _is_binary(self.arguments):
            between = self.arguments.output_split_marker.encode() + b"\n"
        good = True
        for number, data in enumerate(written):
            if is_list:
                self.output.write((b",\n" if number else b"[\n") + (data or b"null\n"))
            elif data is not None:
                self.output.write((between if number else b"") + data)
            good &= data is not None or self.expected is not None
        if is_list:
            self.output.write(b"]\n")
        return good if self.expected is None else self.expected.finish()

    def _reported(self, chunk: Chunk) -> bytes | None:
        context = self._context()
        with reporting(context, chunk, quiet=self.expected is not None) as reporter:
            try:
                program = self._read(chunk, context)
                written = None if program is None else self._written(program, chunk)
            except DxirError as error:
                if self.arguments.debug:
                    raise
                reporter.report(error)
                written = None
        self._told(reporter)
        return written

    def _told(self, reporter: Reporter) -> None:
        """Hold what was reported about a chunk against what its input expects."""
        if self.expected is not None:
            self.expected.check(reporter.messages)

    def _context(self) -> ir.Context:
        return make_context(
            allow_unregistered=self.arguments.allow_unregistered_dialect, dialects=_DIALECTS
        )

    def _read(self, chunk: Chunk, context: ir.Context) -> Program | None:
        """The program in a chunk; None when MLIR has reported what is wrong with it."""
        stage(f"reading {chunk.name}", reading_seconds(chunk))
        try:
            module = read_module(chunk, context)
        except ReadFailed:
            return None
        finally:
            stage(f"translating {chunk.name}")
        if not isinstance(module, ir.Module):
            raise ParseError("the input is no module", where=chunk.name)
        if self.arguments.strip_debuginfo:
            run_pipeline(module, _STRIP, "the locations cannot be removed")
        return Program(module)

    def _written(self, program: Program, chunk: Chunk) -> bytes:
        arguments = self.arguments
        if arguments.info:
            from dxir.tools.info import describe, info_json, info_text

            info = describe(program, chunk.data, chunk.name)
            return (info_json(info) if arguments.as_json else info_text(info)).encode()
        if arguments.form == "artifact":
            return serialize(
                program.module,
                arguments.target,
                keep_chlo=arguments.allow_other_dialects,
                expand=arguments.expand,
            )
        if arguments.form == "bytecode":
            return bytecode(program.module.operation, None)
        head = b""
        if arguments.print_stablehlo_version:
            head = _version_line(chunk.data)
        return head + with_checks(asm_text(program.module.operation, arguments)) + b"\n"


def _version_line(data: bytes) -> bytes:
    version = artifact_version(data)
    if version is None:
        return b"// Failed parsing StableHLO version from portable artifact\n"
    return f"// Reading portable artifact with StableHLO version: {version}\n".encode()
