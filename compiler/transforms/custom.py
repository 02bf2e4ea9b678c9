"""Functions that bring their own derivative.

They travel as composites. The rules are registered under the name of the composite, so that they
are found again in a program that was lowered and raised, wherever the function is defined. Unless
that is given, the name has a digest of the decomposition: another function of the same name, in
another process, is another composite.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from dxir.equality import digest
from dxir.errors import TransformError
from dxir.graph import Function, Region, building, place
from dxir.locations import caller_location
from dxir.making import copied
from dxir.tracing.calls import Call, check_function, constants_within, name_of
from dxir.tracing.trees import Tree
from dxir.transforms.calling import any_leaves
from dxir.transforms.custom_rules import Flat, FlatJvp, FlatVjp
from dxir.transforms.functions import without_dead_nodes
from dxir.transforms.registry import is_known

Python = Callable[..., Any]


class _Custom:
    """A Python function whose calls are composites, one name for each decomposition."""

    what = ""

    def __init__(self, function: Python, *, name: str | None) -> None:
        check_function(function, self.what)
        self.function = function
        self.name = name
        self._flat: dict[tuple[Tree, str], Flat] = {}
        self.__name__ = name_of(function)
        self.__doc__ = getattr(function, "__doc__", None)

    def flat(self, name: str, inner: Tree | None) -> Flat:
        """The rule under a name; TransformError when the derivative is not given yet."""
        raise NotImplementedError

    def define(self) -> None:
        """Make the rules known under a name that was given, before the first call."""
        if self.name is not None:
            plain = self.flat(self.name, None)
            self._plain: Flat | None = plain

    _plain: Flat | None = None

    def __call__(self, *args: Any) -> Any:
        """The composite on values, in the containers of the function's result."""
        call = Call(self.function, args, {})
        any_leaves(call, None)
        inner = call.tree.children[0]
        traced = call.trace()
        body = alone(traced.region, self.what, call.name)
        flat = self._found(inner, body)
        body.name = flat.name
        with building(call.home):
            return traced.out.build(flat.placed(call.leaves, body))

    def _found(self, inner: Tree, body: Function) -> Flat:
        if self._plain is not None and all(c.kind is None for c in inner.children):
            return self._plain
        key = (inner, digest(body))
        if key not in self._flat:
            self._flat[key] = self._named(*key)
        return self._flat[key]

    def _named(self, inner: Tree, word: str) -> Flat:
        base = self.name or f"{self.what}.{re.sub(r'[^A-Za-z0-9_]', '_', self.__name__)}"
        base = f"{base}.{word}"
        name, number = base, 0
        while is_known(name):
            number += 1
            name = f"{base}_{number}"
        return self.flat(name, inner)


class custom_vjp(_Custom):  # noqa: N801  it is called as a function
    """A function with a reverse rule of its own.

    `fwd(*args)` gives the result and what `bwd` needs, `bwd(residuals, g)` a tuple with the
    cotangent of each argument, None for zeros; give them here or to `defvjp`. `name`, with a
    namespace, is what the composite is called; without it that follows from the function's name.
    """

    what = "custom_vjp"

    def __init__(
        self,
        function: Python,
        fwd: Python | None = None,
        bwd: Python | None = None,
        *,
        name: str | None = None,
    ) -> None:
        super().__init__(function, name=name)
        self._rules: tuple[Python, Python] | None = None
        if fwd is not None or bwd is not None:
            self.defvjp(fwd, bwd)

    def defvjp(self, fwd: Any, bwd: Any) -> None:
        """Say what the derivative is."""
        check_function(fwd, "custom_vjp: fwd")
        check_function(bwd, "custom_vjp: bwd")
        self._rules = (fwd, bwd)
        self.define()

    def flat(self, name: str, inner: Tree | None) -> Flat:
        if self._rules is None:
            raise _undefined(self, "defvjp(fwd, bwd)")
        return FlatVjp(name, inner, *self._rules)


class custom_jvp(_Custom):  # noqa: N801  it is called as a function
    """A function with a forward rule of its own, from which the reverse one follows.

    `rule(primals, tangents)` gives the result and its tangent, which must be linear in `tangents`;
    give it here or to `defjvp`. `primals` and `tangents` are tuples with an entry for each
    argument; integers have the tangent None.
    """

    what = "custom_jvp"

    def __init__(
        self, function: Python, rule: Python | None = None, *, name: str | None = None
    ) -> None:
        super().__init__(function, name=name)
        self._rule: Python | None = None
        if rule is not None:
            self.defjvp(rule)

    def defjvp(self, rule: Python) -> Python:
        """Say what the derivative is; also a decorator."""
        check_function(rule, "custom_jvp: the rule")
        self._rule = rule
        self.define()
        return rule

    def flat(self, name: str, inner: Tree | None) -> Flat:
        if self._rule is None:
            raise _undefined(self, "defjvp(rule)")
        return FlatJvp(name, inner, self._rule)


def alone(region: Region, name: str, what: str) -> Function:
    """A region that captures nothing but constants as a private function."""
    made = Function(name, region.param_types, public=False)
    with building(made):
        values = constants_within(region, what)
        values.update(zip(region.params, made.params, strict=True))
        for node in region.nodes:
            place(copied(node, values))
        made.seal([values[r] for r in region.results])
    return without_dead_nodes(made)


def _undefined(custom: _Custom, how: str) -> TransformError:
    return TransformError(
        f"{custom.__name__} is a {custom.what} without a derivative",
        where=caller_location(),
        hint=f"say what it is by {how}",
    )
