"""Writing modules as a command line asks: text in the form wanted, or bytecode."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

from dxir.errors import DxirError, VerificationError
from dxir.mlir import IrOperation, ir
from dxir.tools.shared_options import Printing
from dxir.whole_files import write_file


def asm_text(op: IrOperation, printing: Printing) -> bytes:
    """The op as text."""
    text = op.get_asm(
        binary=True,
        large_elements_limit=printing.elide_elementsattrs_if_larger,
        large_resource_limit=printing.elide_resource_strings_if_larger,
        enable_debug_info=printing.print_debuginfo,
        pretty_debug_info=printing.pretty_debuginfo,
        print_generic_op_form=printing.print_op_generic,
        use_local_scope=printing.print_local_scope,
        use_name_loc_as_prefix=printing.use_nameloc_as_prefix,
        assume_verified=printing.print_assume_verified,
        skip_regions=printing.print_skip_regions,
    )
    assert isinstance(text, bytes)
    return text


def bytecode(op: IrOperation, version: int | None) -> bytes:
    """The op as MLIR bytecode, of an older version of the format if asked."""
    buffer = io.BytesIO()
    try:
        if version is None:
            op.write_bytecode(buffer)
        else:
            op.write_bytecode(buffer, version)
    except (ValueError, RuntimeError) as error:
        raise DxirError(f"the bytecode cannot be written in version {version}: {error}") from None
    return buffer.getvalue()


class Output:
    """Where modules go: standard output at once, or a file that appears when all went well."""

    def __init__(self, path: str, *, binary: bool) -> None:
        self.path = path
        self._parts: list[bytes] = []
        if path == "-" and binary and sys.stdout.isatty():
            raise DxirError(
                "bytecode is not written to a terminal", hint="send it to a file: -o FILE"
            )

    def write(self, data: bytes) -> None:
        """Add to the output."""
        if self.path != "-":
            self._parts.append(data)
            return
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def keep(self) -> None:
        """Let the file appear, whole; DxirError when it cannot be written."""
        if self.path == "-":
            return
        try:
            write_file(self.path, b"".join(self._parts))
        except OSError as error:
            raise DxirError(
                f"the output cannot be written: {error.strerror or error}", where=self.path
            ) from None


def check_roundtrip(op: IrOperation, fresh: Callable[[], ir.Context]) -> None:
    """Raise VerificationError when the op does not read back, as text or bytecode, as it is.

    It is read in fresh contexts: where a resource of the name is already, it gets another name.
    """
    printed = _locations_text(op)
    kinds: tuple[tuple[str, bytes], ...] = (("text", printed), ("bytecode", bytecode(op, None)))
    for kind, data in kinds:
        try:
            again = _read(data, kind, op.name, fresh())
        except (ir.MLIRError, ValueError) as error:
            raise VerificationError(
                f"the module does not read back from its {kind}: {str(error).splitlines()[0]}"
            ) from None
        if _locations_text(again) != printed:
            raise VerificationError(f"the module is another one when read back from its {kind}")


def _read(data: bytes, kind: str, name: str, context: ir.Context) -> IrOperation:
    source = data.decode("utf-8") if kind == "text" else data
    if name == "builtin.module":
        return ir.Module.parse(source, context).operation
    return ir.Operation.parse(source, context=context).operation


def _locations_text(op: IrOperation) -> bytes:
    text = op.get_asm(binary=True, enable_debug_info=True, assume_verified=True)
    assert isinstance(text, bytes)
    return text
