"""That several processes compile the same program: otherwise they would wait for each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dxir.runtime import pjrt
from dxir.runtime.distributed import session
from dxir.runtime.keeping import key_of, program_name

if TYPE_CHECKING:
    from dxir.program import Program
    from dxir.targets.options import CompileOptions


def agree(program: Program, assignment: pjrt.Assignment, options: CompileOptions) -> None:
    """Raise RuntimeFailure in all processes unless they compile the same for their devices.

    It waits for the other processes. A program for this process's own devices is its own affair.
    """
    found = session.current()
    if found is None or not assignment.is_shared:
        return
    devices = [device.id for device in assignment.devices]
    fingerprint = program.fingerprint()
    parts = [
        ("program", fingerprint.encode()),
        ("devices", repr(devices).encode()),
        ("donate", repr(options.donate).encode()),
        ("flags", repr(sorted(options.flags.items())).encode()),
    ]
    described = f"@{program_name(program.module)} ({fingerprint[:12]}) on {len(devices)} devices"
    found.agree("compiling a program", key_of(parts), described)
