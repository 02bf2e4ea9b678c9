"""`dxir cache`: what is kept on disk, compiled programs and what was found in files."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable
from typing import Any

from dxir.errors import DxirError
from dxir.runtime.cache import Cache, Entry, is_on, the_cache
from dxir.tools.tables import print_table
from dxir.verify.keeping import the_reports
from dxir.wording import counted

_COLUMNS = ("last used", "bytes", "compiling took", "target", "program")
_DAY_S = 86_400.0


def run(options: argparse.Namespace) -> int:
    """Run the command; gives its exit code."""
    return _clear(options) if options.what == "clear" else _info(options)


def _info(options: argparse.Namespace) -> int:
    cache = the_cache()
    entries = _entries(cache)
    total = _bytes(entries)
    checks = the_reports()
    checked = _entries(checks)
    if options.json:
        found = {
            "folder": str(cache.folder),
            "on": is_on(None),
            "programs": len(entries),
            "bytes": total,
            "bound": cache.bound,
            "entries": [_described(entry) for entry in entries],
            "checks": {
                "folder": str(checks.folder),
                "files": len(checked),
                "bytes": _bytes(checked),
                "bound": checks.bound,
            },
        }
        print(json.dumps(found, indent=2))
        return 0
    print(f"folder: {cache.folder}{'' if is_on(None) else ' (switched off: DXIR_CACHE)'}")
    print(f"programs: {len(entries)}")
    print(f"bytes: {total:,} of {cache.bound:,}")
    if checked:
        print(
            f"checks: of {counted(len(checked), 'file')}, "
            f"{_bytes(checked):,} bytes of {checks.bound:,}"
        )
    if entries:
        print()
        print_table(_COLUMNS, map(_row, reversed(entries)))
    return 0


def _clear(options: argparse.Namespace) -> int:
    cache = the_cache()
    gone = _cleared(cache, options.older_than)
    kept = len(_entries(cache))
    left = f"; {counted(kept, 'program')} stay" + "s" * (kept == 1) if kept else ""
    print(f"removed {counted(len(gone), 'program')}, {_bytes(gone):,} bytes{left}")
    checked = _cleared(the_reports(), options.older_than)
    if checked:
        print(f"removed checks of {counted(len(checked), 'file')}, {_bytes(checked):,} bytes")
    return 0


def _cleared(cache: Cache, days: float | None) -> list[Entry]:
    try:
        return cache.clear(None if days is None else days * _DAY_S)
    except OSError as error:
        raise _failed(cache, error) from None


def _entries(cache: Cache) -> list[Entry]:
    try:
        return cache.entries()
    except OSError as error:
        raise _failed(cache, error) from None


def _failed(cache: Cache, error: OSError) -> DxirError:
    return DxirError(
        f"the cache of {cache.contents.plural}: {error.strerror or error}",
        where=error.filename or str(cache.folder),
        hint="DXIR_CACHE_DIR names another folder",
    )


def _described(entry: Entry) -> dict[str, Any]:
    found = entry.description() or {"damaged": True}
    return {"key": entry.key, "bytes": entry.bytes, "last_used": round(entry.used), **found}


def _row(entry: Entry) -> tuple[str, ...]:
    found = entry.description()
    used = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.used))
    if found is None:
        return used, f"{entry.bytes:,}", "", "", "damaged"
    seconds, count = found.get("compile_seconds"), found.get("devices")
    target = str(found.get("target", ""))
    return (
        used,
        f"{entry.bytes:,}",
        f"{seconds} s" if seconds is not None else "",
        target if count in (1, None) else f"{target} on {count} devices",
        str(found.get("program", "")),
    )


def _bytes(entries: Iterable[Entry]) -> int:
    return sum(entry.bytes for entry in entries)
