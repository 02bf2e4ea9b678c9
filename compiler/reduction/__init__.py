"""Shrinking a program while something about it stays as it is: by delta debugging, always valid.

`reduce` takes a program and a function that says whether a program is still interesting (a backend
gets it wrong, a tool dies of it), and gives the smallest one that it comes to. A reduction is a
class in one of the modules here; `reducing` has the list of them, coarse to fine.
"""

from dxir.reduction.reducing import reduce
from dxir.reduction.search import Progress
from dxir.reduction.size import Size

__all__ = ["Progress", "Size", "reduce"]
