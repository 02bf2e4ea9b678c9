"""What `dxir doctor` tells of what it tried in other processes: plugins, devices, programs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from dxir.children import cause_of, last_words
from dxir.tools.doctor_findings import Finding
from dxir.wording import counted, size_text

_MODULE = "dxir.tools.doctor_probes"
_SECONDS = 120.0
GROUPS = ("dxir.targets", "dxir.passes", "dxir.patterns", "dxir.rules")
"""The groups of entry points in which other packages declare what they have for dxir."""

_DISTRIBUTED = ("DXIR_COORDINATOR", "DXIR_NUM_PROCESSES", "DXIR_PROCESS_ID", "DXIR_LOCAL_DEVICES")
_REINSTALL = "pip install --force-reinstall jaxlib ml_dtypes numpy"

Found = dict[str, Any]


def tried(name: str, given: str = "", *, seconds: float = _SECONDS, processes: int = 0) -> Found:
    """What a probe found in a process of its own; `error` says why it found nothing."""
    # Whoever started this may be one of several processes, which the probes are not.
    environment = {k: v for k, v in os.environ.items() if k not in _DISTRIBUTED}
    with tempfile.TemporaryDirectory(prefix="dxir-doctor-") as folder:
        path = Path(folder) / "found.json"
        probe = [_MODULE, name, *([given] if given else []), str(path)]
        command = [sys.executable, "-P", "-m", *probe]
        if processes:
            limit = f"--timeout={seconds:g}"
            launch = ["dxir.tools.launch", "-n", str(processes), limit, "-m", *probe]
            command = [sys.executable, "-P", "-m", *launch]
        try:
            done = subprocess.run(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=seconds + 10 * bool(processes),
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {"error": f"it did not end within {seconds:g} s", "hint": None}
        except OSError as error:
            return {"error": f"no process can be started: {error.strerror or error}", "hint": None}
        try:
            found: Found = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError):
            said = last_words(done.stderr)
            cause = f"the process ended with {cause_of(done.returncode)}"
            return {"error": f"{cause}: {said}" if said else cause, "hint": None}
        return found


def bindings(found: Found) -> Iterator[Finding]:
    """MLIR, and the versions of StableHLO."""
    if "error" in found:
        yield Finding(
            "versions",
            "StableHLO",
            "problem",
            f"MLIR cannot be loaded: {found['error']}",
            found["hint"] or _REINSTALL,
        )
        return
    message = f"StableHLO {found['oldest']} to {found['current']}, written and read"
    yield Finding("versions", "StableHLO", "ok", message, details=found)


def plugins(found: Found, try_devices: Callable[[str], Found]) -> Iterator[Finding]:
    """Plugins, each loaded in a process of its own, and the devices that they have."""
    if "error" in found:
        yield Finding("plugins", "PJRT", "problem", found["error"], found["hint"])
        return
    if not found["plugins"]:
        message = "no PJRT plugin is installed; the processors need none"
        yield Finding("plugins", "PJRT", "ok", message)
    for name, path in found["plugins"].items():
        seen = try_devices(f"xla-{name}")
        if "error" in seen:
            yield Finding(
                "plugins",
                name,
                "problem",
                f"the plugin {name} cannot be used: {seen['error']}",
                seen["hint"] or "it has to fit the hardware, its driver and jaxlib; or remove it",
                {"library": path},
            )
            continue
        version = " ".join(seen["version"].split())
        yield Finding(
            "plugins", name, "ok", f"{name} loads: {version or path}", details={"library": path}
        )
        yield from devices(name, seen)


def devices(name: str, found: Found) -> Iterator[Finding]:
    """Devices with their memory."""
    if "error" in found:
        yield Finding("devices", name, "problem", found["error"], found["hint"])
        return
    if not found["devices"]:
        yield Finding("devices", name, "warning", f"{name} has no devices")
    for device in found["devices"]:
        own = f"{name}:{device['id']}"
        message = f"{own}, {device['kind']}, {_memory(name, device['memory'])}"
        yield Finding("devices", own, "ok", message, details=device)


def _memory(name: str, told: Mapping[str, int]) -> str:
    limit = told.get("bytes_limit")
    if limit:
        return f"{size_text(limit)} of memory, {told.get('bytes_in_use', 0):,} bytes in use"
    if name != "xla-cpu":
        return "its runtime does not tell its memory"
    cores = os.cpu_count() or 1
    try:
        size = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return counted(cores, "core")
    return f"{counted(cores, 'core')}, {size_text(size)} of memory"


def extensions(load: Callable[[str], Found]) -> Iterator[Finding]:
    """What other packages declare for dxir, each imported in a process of its own."""
    declared = [entry for group in GROUPS for entry in entry_points(group=group)]
    if not declared:
        yield Finding("extensions", "packages", "ok", "no other package declares anything for dxir")
    for entry in declared:
        name = f"{entry.group}:{entry.name}"
        package = "a package" if entry.dist is None else entry.dist.name
        found = load(name)
        if "error" in found:
            yield Finding(
                "extensions",
                name,
                "problem",
                f"{entry.name} of {entry.group}, {entry.value} of {package}: {found['error']}",
                found["hint"] or f"repair {package}, or remove it",
                {"package": package, "value": entry.value},
            )
        else:
            yield Finding("extensions", name, "ok", f"{name} of {package} can be imported")


def targets(found: Found) -> Iterator[Finding]:
    """Targets, and which of them compile here."""
    if "error" in found:
        message = f"the targets cannot be listed: {found['error']}"
        advice = found["hint"] or "see what is said of extensions: one of them is at fault"
        yield Finding("targets", "targets", "problem", message, advice)
        return
    for target in found["targets"]:
        name = target["name"]
        if target["compiles_here"]:
            message = f"{name} compiles here"
        elif target["described_only"]:
            message = f"{name} is described only: programs are made for it, and go elsewhere"
        else:
            message = f"{name} does not compile here" + (
                f": it needs {target['needs']}" if target["needs"] else ""
            )
        kernels = len(target["kernels"])
        message += f"; {counted(kernels, 'kernel')}" if kernels else ""
        yield Finding("targets", name, "ok", message, details=target)
    for broken in found["broken"]:
        yield Finding("targets", broken["name"], "problem", broken["message"], broken["hint"])


def program(found: Found) -> Iterator[Finding]:
    """A small program that was compiled, run and compared."""
    if "error" in found:
        message = f"a small program does not run on xla-cpu: {found['error']}"
        yield Finding("program", "xla-cpu", "problem", message, found["hint"])
    elif not found["close"]:
        yield Finding(
            "program",
            "xla-cpu",
            "problem",
            f"a small program differs from its reference by {found['difference']:.3g}",
            "XLA computes otherwise here: look at XLA_FLAGS, then at the version of jaxlib",
            found,
        )
    else:
        message = (
            f"a small program compiles in {found['compile_seconds']:.2f} s, runs on xla-cpu, and "
            f"differs from its reference by {found['difference']:.1e}"
        )
        yield Finding("program", "xla-cpu", "ok", message, details=found)


def processes(found: Found) -> Iterator[Finding]:
    """Two processes that computed together."""
    if "error" in found:
        yield Finding(
            "processes",
            "gloo",
            "warning",
            f"two processes do not find together: {found['error']}",
            found["hint"]
            or "one process works; several need sockets on this machine's own address",
        )
        return
    expected = float(sum(range(found["processes"])))
    if found["total"] != expected:
        message = f"two processes add up to {found['total']:g}, not to {expected:g}"
        yield Finding("processes", "gloo", "problem", message, "report it", found)
        return
    yield Finding("processes", "gloo", "ok", "two processes compute together", details=found)


def summary(findings: Sequence[Finding]) -> str:
    """How many problems and warnings there are, in words."""
    parts: list[str] = []
    for status in ("problem", "warning"):
        count = sum(finding.status == status for finding in findings)
        parts.append(counted(count, status) if count else f"no {status}s")
    return ", ".join(parts)
