"""How arguments of traced functions lie on a mesh, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dxir.errors import TracingError
from dxir.functions.parameters import Parameters
from dxir.graph import Function
from dxir.locations import caller_location
from dxir.partition_spec import P, resolved
from dxir.sharding import Sharding
from dxir.tracing.trees import Tree, flatten, spread_prefix


class Shardings:
    """What `shardings=` says: for each argument a sharding for all that is in it, or containers."""

    def __init__(self, given: Mapping[str, Any] | None, parameters: Parameters) -> None:
        if given is not None and not isinstance(given, Mapping):
            raise TracingError(
                f"shardings= is {given!r}",
                where=caller_location(),
                hint='it has shardings by argument: shardings={"x": dxir.P("data", None)}',
            )
        self._given = dict(given or {})
        self._parameters = parameters
        parameters.check_names("shardings=", list(self._given))
        for name, entry in self._given.items():
            for leaf in flatten(entry)[0]:
                if not isinstance(leaf, (P, Sharding)):
                    raise TracingError(
                        f"{leaf!r} is no sharding for {name}",
                        where=caller_location(),
                        hint='give a partition spec or a Sharding: dxir.P("data", None)',
                    )

    def apply(self, function: Function, tree: Tree) -> None:
        """Say of the parameters of a function, the leaves of the tree, how they lie."""
        if not self._given:
            return
        for name, start, child in self._parameters.argument_leaves(tree):
            entry = self._given.get(name, self._given.get(name.split("[")[0]))
            spread = spread_prefix(entry, child, f"shardings= for {name}")
            for param, given in zip(function.params[start : start + child.count], spread):  # noqa: B905
                sharding: Sharding | None = resolved(
                    given, rank=len(param.tensor.shape), region=function
                )
                if sharding is not None:
                    sharding.check(param.type, f"parameter {param.name}")
                function.param_shardings[param.index] = sharding
