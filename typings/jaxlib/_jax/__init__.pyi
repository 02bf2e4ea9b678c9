# jaxlib ships no stub for this extension module. Names are added here with their types as
# dxir comes to use them; the rest is untyped.
from typing import Any

from . import mlir as mlir

def __getattr__(name: str) -> Any: ...
