"""How a value is indexed from a frame: the reading of layout that makes patterns blind to it.

A pattern is matched in a *frame*, a list of index variables: one for each dimension of the root's
result, and one more for each dimension that a reduction or contraction sums over. Every value of
the match is read as a function of the frame's variables. An `Access` says for each dimension of a
value which *digits* of the variables make its index, the most significant first: a digit
`(variable, divisor, size)` is `variable // divisor % size`. Broadcasts, reshapes, transposes and
contractions only change accesses, so that two values which are read by the same access are the same
to a pattern wherever they come from. A dimension of size 1 has no digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Digit = tuple[int, int, int]
Digits = tuple[Digit, ...]
Access = tuple[Digits, ...]

DYNAMIC = -1
"""The size of a variable that is not known: such a dimension is read as a whole, or not at all."""


class Frame:
    """The index variables of a match, by number, with their sizes."""

    __slots__ = ("sizes",)

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def variable(self, size: int) -> Digits:
        """The digits of a new variable; none for one of size 1."""
        if size == 1:
            return ()
        self.sizes.append(size)
        return ((len(self.sizes) - 1, 1, size),)

    def access(self, shape: Sequence[int]) -> Access:
        """The access of a value that is read by a new variable for each dimension."""
        return tuple([self.variable(size) for size in shape])


def through_broadcast(
    access: Access, dims: Sequence[int], operand: Sequence[int], result: Sequence[int]
) -> Access:
    """How the operand of a `broadcast_in_dim` is read where the result is read by `access`."""
    return tuple(
        [access[d] if size == result[d] else () for d, size in zip(dims, operand, strict=True)]
    )


def through_transpose(access: Access, permutation: Sequence[int]) -> Access:
    """How the operand of a transpose is read where the result is read by `access`."""
    operand: list[Digits] = [()] * len(access)
    for digits, dim in zip(access, permutation, strict=True):
        operand[dim] = digits
    return tuple(operand)


def through_reshape(access: Access, operand: Sequence[int]) -> Access | None:
    """How the operand of a reshape is read; None where its dimensions cut digits apart."""
    digits = [digit for part in access for digit in part]
    if any(size == DYNAMIC for _, _, size in digits) or DYNAMIC in operand:
        return None
    found: list[Digits] = []
    for size in reversed(operand):
        taken: list[Digit] = []
        while size > 1:
            if not digits:
                return None
            variable, divisor, width = digits.pop()
            if size % width == 0:
                taken.append((variable, divisor, width))
                size //= width
            elif width % size == 0:
                digits.append((variable, divisor * size, width // size))
                taken.append((variable, divisor, size))
                size = 1
            else:
                return None
        found.append(joined(reversed(taken)))
    return None if digits else tuple(reversed(found))


def joined(digits: Iterable[Digit]) -> Digits:
    """The digits, with neighbours that make up a larger digit of one variable put together."""
    found: list[Digit] = []
    for variable, divisor, size in digits:
        if found:
            before, above, width = found[-1]
            if before == variable and above == divisor * size:
                found[-1] = (variable, divisor, width * size)
                continue
        found.append((variable, divisor, size))
    return tuple(found)


def whole(digits: Iterable[Digit]) -> Digits:
    """The digits by variable, the most significant first, with neighbours put together."""
    return joined(sorted(digits, key=lambda digit: (digit[0], -digit[1])))


def digits_of(access: Access) -> set[Digit]:
    """The digits that an access reads."""
    return {digit for part in access for digit in part}


def dropped(outer: Access, inner: Access) -> Digits:
    """The digits of the outer access, in order, that the inner one does not read."""
    read = digits_of(inner)
    return tuple([digit for part in outer for digit in part if digit not in read])


def dims_reading(access: Access, digits: Iterable[Digit]) -> tuple[int, ...] | None:
    """The dimensions that read exactly these digits, each a whole one; None when others do."""
    places = {part[0]: dim for dim, part in enumerate(access) if len(part) == 1}
    found = [places.get(digit) for digit in whole(digits)]
    return None if None in found else tuple(sorted(d for d in found if d is not None))
