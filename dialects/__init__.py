"""The ops of dxir, one file for each family; importing this declares all of them."""

from __future__ import annotations

import importlib
import pkgutil

FAMILIES = tuple(sorted(m.name for m in pkgutil.iter_modules(__path__)))

for _family in FAMILIES:
    importlib.import_module(f"{__name__}.{_family}")
