"""A fingerprint of what a module computes, blind to how it is written down.

Every op is hashed from its name, attributes, result types, regions and the hashes of its operands,
so a value stands for the expression that makes it. A block is the multiset of its ops' hashes, each
with how often its results are used; ops with side effects carry their place among each other. A
symbol stands for the hash of what it names. So the fingerprint does not see names of values and
symbols, locations, the order of functions, or the order of ops that do not depend on each other; it
sees every attribute, type, constant and use, and which functions are public.

An attribute that spells out its default hashes as if it were absent, and a function that ends in
`stablehlo.return` as if in `func.return`. Two functions that call each
other (StableHLO has no recursion) may change the fingerprint when they change places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from hashlib import sha256
from operator import itemgetter

from dxir.defaults import is_default
from dxir.effects import CALLS, is_ordered
from dxir.mlir import IrAttribute, IrOperation, IrValue, ir
from dxir.part_digests import PartDigests, digest_of
from dxir.quoting import references_in
from dxir.reading import attribute, is_public, text_without_names

_NOT_HASHED = frozenset({"sym_name", "sym_visibility"})

# A region or the function of a symbol, to be hashed before going on.
_Wanted = tuple[ir.Region, int] | str
_Reply = tuple[bytes, bool]  # the hash, and whether there are side effects
_Steps = Generator[_Wanted, _Reply, _Reply]
# An op's name, result types and attributes (None where the bindings cannot read them).
_Key = tuple[str, tuple[ir.Type, ...], tuple[tuple[str, IrAttribute], ...] | None]


def fingerprint(module: ir.Module) -> str:
    """The fingerprint as 64 hexadecimal digits."""
    return _Fingerprint(module).run().hex()


def fingerprint_of_parts(module: ir.Module) -> tuple[str, dict[str, bytes]]:
    """The fingerprint, and the digests of `function_digests` of all functions, at once."""
    of = _Fingerprint(module)
    names = [name for name, op in of.symbols.items() if op.name == "func.func"]
    return of.run().hex(), {name: of.of_symbol(name) for name in names}


def function_digests(module: ir.Module, names: Iterable[str]) -> dict[str, bytes]:
    """Of each of these functions a digest, equal where they compute the same expressions.

    Names, visibility and locations play no part. A function that is part of a recursion stands for
    its type there, so that digests of such functions say less.
    """
    of = _Fingerprint(module)
    return {name: of.of_symbol(name) for name in names}


def value_digests(module: ir.Module) -> dict[int, bytes]:
    """Of each value a digest, equal where values are the same expression of the same arguments.

    The values of each function and of each region are told apart from those of another only by
    what they are made of. The keys are the hashes of the values, as long as the module lives.
    """
    (of := _Fingerprint(module)).run()
    return of.values


class OpDigests:
    """Digests of ops on their own: of what they are, not of what makes their operands.

    `symbols` has what stands for symbols that ops name; others stand for what they name.
    """

    def __init__(self, module: ir.Module, symbols: Mapping[str, bytes]) -> None:
        self._of = _Fingerprint(module)
        for name, digest in symbols.items():
            self._of.known[name] = (digest_of(b"given", digest), False)

    def head(self, op: IrOperation) -> bytes:
        """The digest of the name, the attributes and the types of the results."""
        return self._of.head(op)

    def whole(self, op: IrOperation) -> bytes:
        """The same with the regions."""
        return self._of.alone(op) if len(op.regions) else self._of.head(op)


class _Fingerprint:
    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.values: dict[int, bytes] = {}  # by the hash of the pointer: holding values costs more
        self.uses: Counter[int] = Counter()
        self.heads: dict[_Key, bytes] = {}
        self.symbols: dict[str, IrOperation] = {}
        self.known: dict[str, _Reply] = {}
        self._parts = PartDigests(module)
        for op in module.body.operations:
            names = op.operation.attributes
            if "sym_name" in names:
                self.symbols[str(ir.StringAttr(names["sym_name"]).value)] = op.operation

    def run(self) -> bytes:
        parts: list[bytes] = []
        for name, op in self.symbols.items():
            if op.name == "sdy.mesh":
                continue
            visibility = b"public" if is_public(op) else b"private"
            parts.append(digest_of(b"symbol", visibility, self._drive(name)[0]))
        for view in self.module.body.operations:
            if "sym_name" not in view.operation.attributes:
                parts.append(digest_of(b"op", self._drive(view.operation)[0]))
        own = self._drive(self.module.operation, parts=sorted(parts))
        return own[0]

    def of_symbol(self, name: str) -> bytes:
        return self._drive(name)[0]

    def _drive(self, what: str | IrOperation, parts: Sequence[bytes] | None = None) -> _Reply:
        """Run the steps of a hash with a stack of our own: nesting may be deeper than Python's."""
        if isinstance(what, str):
            if what in self.known:
                return self.known[what]
            first: _Steps = self._symbol(what)
        elif parts is not None:
            first = self._module(what, parts)
        else:
            first = self._single(what)
        return self._finish(first)

    def head(self, op: IrOperation) -> bytes:
        """The hash of an op without its operands and regions."""
        items: tuple[tuple[str, IrAttribute], ...] | None
        try:
            items = tuple(op.attributes.items())
        except TypeError:  # a complex constant has no class in the bindings
            items = None
        key = (op.name, tuple([value.type for value in op.results]), items)
        found = self.heads.get(key) if items is not None else None
        return self._finish(self._head(op, key))[0] if found is None else found

    def alone(self, op: IrOperation) -> bytes:
        """The hash of an op as if nothing were known of its operands."""
        self.values.clear()
        self.uses.clear()
        return self._drive(op)[0]

    def _finish(self, first: _Steps) -> _Reply:
        stack = [first]
        reply: _Reply | None = None
        while stack:
            try:
                wanted = stack[-1].send(reply) if reply is not None else next(stack[-1])
            except StopIteration as done:
                stack.pop()
                reply = done.value
                continue
            if isinstance(wanted, str):
                reply = self.known.get(wanted)
                if reply is None:
                    stack.append(self._symbol(wanted))
            else:
                reply = None
                stack.append(self._region(*wanted))
        assert reply is not None
        return reply

    def _module(self, op: IrOperation, parts: Sequence[bytes]) -> _Steps:
        head, _ = yield from self._head(op, (op.name, (), tuple(op.attributes.items())))
        return digest_of(head, *parts), False

    def _single(self, op: IrOperation) -> _Steps:
        """The hash of an op at the top level of the module."""
        steps = self._op(op, 0, 0, [])
        if isinstance(steps, bytes):
            return steps, False
        return (yield from steps)

    def _symbol(self, name: str) -> _Steps:
        """The hash of what a symbol names; a function that is being hashed stands for its type."""
        op = self.symbols.get(name)
        if op is None:
            self.known[name] = reply = (digest_of(b"unknown symbol", name.encode()), True)
            return reply
        if op.name == "sdy.mesh":
            self.known[name] = reply = (
                digest_of(b"mesh", str(op.attributes["mesh"]).encode()),
                False,
            )
            return reply
        signature = attribute(op, "function_type")
        self.known[name] = (digest_of(b"recursive", str(signature).encode()), True)
        self.known[name] = reply = yield from self._single(op)
        if op.name == "func.func" and not op.regions[0].blocks:
            self.known[name] = reply = (reply[0], True)
        return reply

    def _region(self, region: ir.Region, depth: int) -> _Steps:
        blocks = list(region.blocks)
        parts: list[bytes] = []
        for number, block in enumerate(blocks):
            for index, argument in enumerate(block.arguments):
                type = self._parts.type(argument.type)
                place = b"%d,%d,%d" % (depth, number, index)
                self.values[hash(argument)] = digest_of(b"argument", place, type)
                parts.append(type)
            parts.append(b"block")
        bodies: list[tuple[list[bytes], list[int | tuple[int, ...]]]] = []
        effects = 0
        for block in blocks:
            digests: list[bytes] = []
            results: list[int | tuple[int, ...]] = []
            for view in block.operations:
                op = view.operation
                steps = self._op(op, depth, effects, results)
                if isinstance(steps, bytes):
                    digests.append(steps)
                    continue
                digest, effect = yield from steps
                effects += effect
                digests.append(digest)
            bodies.append((digests, results))
        # A value is used within its region only, so the counts are complete here.
        uses = self.uses
        for digests, results in bodies:
            entries = [
                b"%b%d" % (digest, uses[keys])
                if isinstance(keys, int)
                else b"%b %b" % (digest, b",".join([b"%d" % uses[key] for key in keys]))
                for digest, keys in zip(digests, results, strict=True)
            ]
            entries.sort()
            parts.append(digest_of(*entries))
        return digest_of(*parts), effects > 0

    def _op(
        self, op: IrOperation, depth: int, order: int, results: list[int | tuple[int, ...]]
    ) -> bytes | _Steps:
        """The hash of an op whose own are known already, or the steps to one; defines its results.

        Most ops take the first way, which spares them a generator.
        """
        name = op.name
        if depth == 1 and name == "stablehlo.return":  # at the end of a function, as MLIR allows
            name = "func.return"
        values = list(op.results)
        types = tuple([value.type for value in values])
        named = op.attributes
        items: tuple[tuple[str, IrAttribute], ...] | None = ()
        if len(named):
            try:
                items = tuple(named.items())
            except TypeError:  # a complex constant has no class in the bindings
                items = None
        found = self.heads.get((name, types, items)) if items is not None else None
        if found is None or len(op.regions):
            return self._slow(op, (name, types, items), depth, order, results)
        digest = sha256(b"".join([found, *self._operands(op)])).digest()
        self._define(values, digest, results)
        return digest

    def _operands(self, op: IrOperation) -> list[bytes]:
        keys = [hash(operand) for operand in op.operands]
        uses, values = self.uses, self.values
        for key in keys:
            uses[key] += 1
        try:
            return [values[key] for key in keys]
        except KeyError:  # used before it is defined, which only control flow between blocks can
            return [values.get(key, b"later") for key in keys]

    def _define(
        self, values: Sequence[IrValue], digest: bytes, results: list[int | tuple[int, ...]]
    ) -> None:
        if len(values) == 1:
            key = hash(values[0])
            self.values[key] = digest
            results.append(key)
            return
        keys = tuple([hash(value) for value in values])
        for index, key in enumerate(keys):
            self.values[key] = digest + b"#%d" % index
        results.append(keys)

    def _slow(
        self,
        op: IrOperation,
        key: _Key,
        depth: int,
        order: int,
        results: list[int | tuple[int, ...]],
    ) -> _Steps:
        name = key[0]
        head, effect = yield from self._head(op, key)
        parts = [head, *self._operands(op)]
        for region in op.regions:
            digest, inner = yield (region, depth + 1)
            parts.append(digest)
            effect = effect or inner
        if name.startswith("cf."):
            parts += [b"to %d" % _index(block) for block in op.successors]
        if effect and name != "func.func":
            parts.append(b"effect %d" % order)
        digest = sha256(b"".join(parts)).digest()
        self._define(list(op.results), digest, results)
        return digest, effect

    def _head(self, op: IrOperation, key: _Key) -> _Steps:
        """The hash of everything about an op but its operands and regions."""
        name, types, items = key
        effect = is_ordered(name)
        if items is None:
            return digest_of(name.encode(), text_without_names(op)), effect or name in CALLS
        found = self.heads.get(key)
        if found is not None:
            return found, False
        parts = [name.encode(), *map(self._parts.type, types), b"attributes"]
        symbolic = False
        for label, value in sorted(items, key=itemgetter(0)):
            if label in _NOT_HASHED:
                continue
            text = self._parts.attribute(value)
            if isinstance(text, bytes):
                parts += [label.encode(), text]
                continue
            if is_default(name, label, text):
                continue
            effect = effect or (label == "has_side_effect" and text == "true")
            if "@" in text:
                symbolic = True
                text, called = yield from self._with_symbols(text)
                effect = effect or (called and name in CALLS)
            parts += [label.encode(), text.encode("utf-8", "surrogateescape")]
        found = digest_of(*parts)
        if not (symbolic or effect or name.startswith("cf.")):
            self.heads[key] = found
        return found, effect

    def _with_symbols(self, text: str) -> Generator[_Wanted, _Reply, tuple[str, bool]]:
        """The text of an attribute with each symbol replaced by the hash of what it names."""
        pieces: list[str] = []
        effect, end = False, 0
        for start, stop, name in references_in(text):
            digest, inner = yield name
            pieces += [text[end:start], "@", digest.hex()]
            effect, end = effect or inner, stop
        return "".join([*pieces, text[end:]]), effect


def _index(block: ir.Block) -> int:
    return next(i for i, other in enumerate(block.region.blocks) if other == block)
