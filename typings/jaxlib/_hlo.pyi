# jaxlib ships no stub for this extension module.
from typing import Any

def __getattr__(name: str) -> Any: ...
