# jaxlib's own annotations leave most of this module unknown. Names are added here with their types
# as dxir comes to use them; the rest is untyped.
from typing import Any

class XlaRuntimeError(RuntimeError): ...

def __getattr__(name: str) -> Any: ...
