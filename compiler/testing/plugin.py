"""The plugin of pytest: `--dxir-update`, and the fixture `dxir_snapshot`.

It is loaded into every run of pytest where dxir is installed, so it imports nothing of MLIR.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from dxir.testing.snapshots import Snapshots

_OWNERS = pytest.StashKey[dict[Path, str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--dxir-update`."""
    group = parser.getgroup("dxir")
    group.addoption(
        "--dxir-update",
        action="store_true",
        help="write the snapshots of dxir_snapshot that are missing or differ",
    )


@pytest.fixture
def dxir_snapshot(request: pytest.FixtureRequest) -> Snapshots:
    """Assert that modules are those kept in files; `--dxir-update` writes these."""
    update = bool(request.config.getoption("--dxir-update"))
    classes = [each.name for each in request.node.listchain() if isinstance(each, pytest.Class)]
    return Snapshots(
        request.path,
        ".".join([*classes, request.node.name]),
        update=update,
        owners=request.config.stash.setdefault(_OWNERS, {}),
    )
