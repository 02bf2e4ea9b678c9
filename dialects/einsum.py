"""Sums of products over named indices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.dialects.contraction import (
    element_type,
    precision_pair,
    product_dtype,
    wide_product_dtype,
)
from dxir.errors import AttributeValueError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Derived, attribute
from dxir.types import (
    Dim,
    Dimension,
    ElementType,
    TensorType,
    bf16,
    c64,
    f32,
    i32,
    same_dimension,
)

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]
Term = tuple[Value, str]
_LETTERS = (*range(ord("a"), ord("z") + 1), *range(ord("A"), ord("Z") + 1), *range(192, 1000))


class Einsum(Derived, name="einsum", rounding="sums"):
    """Sum of products over indices that `spec` names: `einsum("bij,bjk->bik", (x, y))`.

    Each operand has one letter for each axis, `...` stands for leading axes that broadcast. Letters
    absent from the result are summed; without `->` they are those used more than once. A letter
    used twice in one operand takes its diagonal. Axes of size 1 stretch. Becomes pairwise
    `dot_general`s in the order `opt_einsum` finds, with transposes and sums; never
    `stablehlo.einsum`. Products of narrow floats round once for each pair.
    """

    spec: str = attribute(positional=True)
    xs: tuple[Value, ...]
    precision: tuple[str, str] | None = None
    preferred_element_type: ElementType | None = None

    examples = (
        Example(spec="ij,jk->ik", xs=(f32[2, 3], f32[3, 4]), hostile=False),
        Example(spec="bhqd,bhkd->bhqk", xs=(f32[2, 1, 3, 4], f32[2, 1, 5, 4]), hostile=False),
        Example(spec="...ij,...jk", xs=(f32[2, 1, 2, 3], f32[4, 3, 2]), hostile=False),
        Example(spec="ij,jk,kl->li", xs=(f32[2, 3], f32[3, 4], f32[4, 2]), hostile=False),
        Example(spec="ii->i", xs=(f32[3, 3],)),
        Example(spec="iij->j", xs=(i32[3, 3, 2],)),
        Example(spec="ij->ji", xs=(i32[3, 2],)),
        Example(spec="i,j->ij", xs=(c64[3], c64[2]), hostile=False),
        Example(spec="ij,ik->i", xs=(bf16[2, 3], bf16[2, 4]), precision="HIGHEST", hostile=False),
        Example(
            spec="ij,jk", xs=(bf16[2, 3], bf16[3, 4]), preferred_element_type=f32, hostile=False
        ),
        Example(spec="ij,ij,ij->", xs=(f32[2, 3], f32[2, 3], f32[2, 3]), hostile=False),
        Example(spec=",i->i", xs=(f32[()], f32[3]), hostile=False),
        Example(spec="ij,jk->ik", xs=(f32[2, 0], f32[0, 4])),
    )
    tolerance = 64  # sums of products round in proportion to their terms, not to the sum

    def prepare(self) -> None:
        checks.not_empty(self.xs, "xs")
        self.update(
            spec=_explicit(self.spec, self.xs),
            precision=precision_pair(self.precision),
            preferred_element_type=element_type(self.preferred_element_type),
        )

    @property
    def terms(self) -> tuple[list[str], str]:
        """The letters of each operand, and of the result."""
        left, _, right = self.spec.partition("->")
        return left.split(","), right

    def sizes(self) -> dict[str, Dimension]:
        """The size of each letter; axes of size 1 stretch to the others."""
        found: dict[str, Dimension] = {}
        for letters, value in zip(self.terms[0], self.xs, strict=True):
            for letter, size in zip(letters, value.shape, strict=True):
                known = found.setdefault(letter, size)
                if known == 1 or (isinstance(known, Dim) and isinstance(size, int) and size != 1):
                    found[letter] = size
                elif size != 1 and not same_dimension(known, size):
                    shapes = " and ".join(str(v.type) for v in self.xs)
                    raise ShapeError(
                        f"index {letter!r} of {self.spec!r} is {known} and {size} in {shapes}",
                        hint="axes that share a letter have one size; transpose by another order "
                        "of letters",
                    )
        return found

    def infer(self) -> TensorType:
        for value in self.xs:
            checks.kind(value, "int uint float complex", "an operand")
        dtype = self.xs[0].tensor.dtype
        for value in self.xs:
            dtype = product_dtype(self.xs[0], value, self.preferred_element_type)
        sizes = self.sizes()
        return TensorType([sizes[c] for c in self.terms[1]], dtype)

    def expand(self, *xs: Value) -> Value:
        letters, wanted = self.terms
        sizes = self.sizes()
        terms = [_prepared((x, c), sizes) for x, c in zip(xs, letters, strict=True)]
        for positions in self._path(sizes):
            chosen = [terms.pop(i) for i in sorted(positions, reverse=True)]
            others = {c for _, found in terms for c in found} | set(wanted)
            result = chosen.pop()
            while chosen:
                partner = chosen.pop()
                keep = others | {c for _, found in chosen for c in found}
                result = self._product(result, partner, keep)
            terms.append(result)
        ((value, found),) = terms
        value, found = _summed((value, found), set(wanted))
        if found != wanted:
            value = ops.transpose(value, permutation=[found.index(c) for c in wanted])
        dtype = self.results[0].tensor.dtype
        return value if value.tensor.dtype == dtype else ops.convert(value, dtype=dtype)

    def _path(self, sizes: dict[str, Dimension]) -> list[tuple[int, ...]]:
        """Which terms to contract, step by step."""
        import opt_einsum

        # A size known only at run time counts as a large one.
        known = {c: d if isinstance(d, int) else 1024 for c, d in sizes.items()}
        shapes = [tuple(known[c] for c in letters) for letters in self.terms[0]]
        path, _ = opt_einsum.contract_path(self.spec, *shapes, shapes=True, optimize="auto")
        return [tuple(int(i) for i in step) for step in path]

    def _product(self, a: Term, b: Term, keep: set[str]) -> Term:
        a, b = _summed(a, keep | set(b[1])), _summed(b, keep | set(a[1]))
        shared = [c for c in a[1] if c in b[1]]
        batch = [c for c in shared if c in keep]
        summed = [c for c in shared if c not in keep]
        product = ops.dot_general(
            a[0], b[0],
            lhs_batching=[a[1].index(c) for c in batch],
            rhs_batching=[b[1].index(c) for c in batch],
            lhs_contracting=[a[1].index(c) for c in summed],
            rhs_contracting=[b[1].index(c) for c in summed],
            precision=self.precision, preferred_element_type=self.preferred_element_type,
        )  # fmt: skip
        free = [c for c in a[1] if c not in shared] + [c for c in b[1] if c not in shared]
        return product, "".join(batch + free)

    def batch(self, batch: Batch) -> Value:
        letters, wanted = self.terms
        used = {*wanted, *"".join(letters)}
        new = next(c for c in map(chr, _LETTERS) if c not in used)
        terms = [new + c if flag else c for c, flag in zip(letters, batch.batched, strict=True)]
        result: Value = batch.rebuild(batch.operands, spec=f"{','.join(terms)}->{new}{wanted}")
        return result

    def reference(self, *xs: Array) -> Array:
        dtype = wide_product_dtype(xs[0], xs[-1])
        found = np.einsum(self.spec, *(x.astype(dtype) for x in xs))
        return np.asarray(found).astype(self.results[0].tensor.dtype.numpy)


def _explicit(spec: Any, xs: tuple[Value, ...]) -> str:
    """`spec` with every index and the result written out."""
    from opt_einsum.parser import parse_einsum_input

    if not isinstance(spec, str):
        raise AttributeValueError(f"spec must be a string such as 'ij,jk->ik', not {spec!r}")
    parts = spec.replace(" ", "").partition("->")[0].split(",")
    checks.length(parts, len(xs), f"the operand list of {spec!r}")
    for part, value in zip(parts, xs, strict=True):
        letters = part.replace("...", "")
        if ("..." in part) * len(letters) > value.tensor.rank or (
            "..." not in part and len(letters) != value.tensor.rank
        ):
            raise ShapeError(
                f"{part!r} of {spec!r} does not fit {value.type}",
                hint="give one letter for each axis, or ... for the first ones",
            )
    shapes = [tuple(1 if isinstance(d, Dim) else d for d in v.shape) for v in xs]
    try:
        left, right, _ = parse_einsum_input((spec, *shapes), shapes=True)
    except ValueError as error:
        raise AttributeValueError(f"spec {spec!r}: {error}") from None
    if len(set(right)) != len(right):
        raise AttributeValueError(f"the result of {spec!r} names an index twice")
    return f"{left}->{right}"


def _prepared(term: Term, sizes: dict[str, Dimension]) -> Term:
    """The term with diagonals taken, and without axes of size 1 that others stretch."""
    value, letters = term
    drop = [i for i, c in enumerate(letters) if value.shape[i] == 1 and sizes[c] != 1]
    if drop:
        value = ops.reshape(value, shape=[d for i, d in enumerate(value.shape) if i not in drop])
        letters = "".join(c for i, c in enumerate(letters) if i not in drop)
    while len(set(letters)) != len(letters):
        second = next(i for i, c in enumerate(letters) if c in letters[:i])
        first = letters.index(letters[second])
        shape = value.tensor.static_shape
        same = ops.compare(
            ops.iota(shape=shape, axis=first, dtype=i32),
            ops.iota(shape=shape, axis=second, dtype=i32),
            direction="EQ",
        )
        masked = ops.select(same, value, ops.full_like(value, value=0))
        value = ops.sum(masked, axes=(second,))
        letters = letters[:second] + letters[second + 1 :]
    return value, letters


def _summed(term: Term, keep: set[str]) -> Term:
    """The term summed over the letters nobody needs any more."""
    value, letters = term
    axes = tuple(i for i, c in enumerate(letters) if c not in keep)
    if not axes:
        return term
    return ops.sum(value, axes=axes), "".join(c for c in letters if c in keep)
