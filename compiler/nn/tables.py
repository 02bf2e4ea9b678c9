"""What parameters are there, how many, and files of them."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from dxir.errors import ArtifactError, OperandError, ShapeError
from dxir.locations import caller_location
from dxir.nn.parameters import is_array
from dxir.numpy.arguments import public
from dxir.numpy.promotion import array_of
from dxir.tracing.arrays import Array
from dxir.tracing.trees import Tree, flatten
from dxir.wording import shown, table_lines


@public
def count_parameters(params: Any) -> int:
    """How many numbers the arrays of a container have in all."""
    leaves, _ = flatten(params)
    return sum(array_of(leaf).type.size for leaf in leaves if is_array(leaf))


@public
def summary(params: Any) -> str:
    """A table of the arrays in a container: what leads to each, its type, and how many numbers."""
    leaves, tree = flatten(params)
    rows = [("parameter", "type", "numbers")]
    total = 0
    for path, leaf in zip(map(_dotted, tree.paths()), leaves, strict=True):
        if not is_array(leaf):
            rows.append((path, type(leaf).__name__, ""))
            continue
        held = array_of(leaf).type
        total += held.size
        rows.append((path, str(held), f"{held.size:,}"))
    rows.append(("in all", "", f"{total:,}"))
    return "\n".join(table_lines(rows, right=(2,)))


@public
def save(path: str | os.PathLike[str], params: Any) -> None:
    """Write the arrays of a container to a .safetensors file, each under what leads to it.

    Names are keys, fields and positions, with points between: `layers.0.kernel`. Numbers become
    arrays. Raises OperandError for keys that are no strings or have points, and for leaves that are
    no numbers, ArtifactError when the file cannot be written.
    """
    from dxir.tensor_files import write_safetensors  # which loads MLIR

    where = _safetensors(path)
    leaves, tree = flatten(params)
    names = _names(tree)
    arrays = {n: _numbers(n, leaf) for n, leaf in zip(names, leaves, strict=True)}
    write_safetensors(where, arrays)


@public
def load(path: str | os.PathLike[str], like: Any = None) -> Any:
    """The arrays of a .safetensors file, in nested dictionaries, or in the containers of `like`.

    With `like` the names, shapes and element types must be those of its leaves: ShapeError says
    what differs.
    """
    from dxir.tensor_files import TensorFile  # which loads MLIR

    where = _safetensors(path)
    with TensorFile(where) as file:
        found = {n: Array(np.array(file.read(n))) for n in file.names}
    if like is None:
        return _nested(found, where)
    leaves, tree = flatten(like)
    names = _names(tree)
    missing, unknown = set(names) - set(found), set(found) - set(names)
    if missing or unknown:
        raise ShapeError(
            f"the file has {_listed(unknown)} which `like` has not, and misses {_listed(missing)}",
            where=where,
            hint="it was written of other parameters",
        )
    for name, leaf in zip(names, leaves, strict=True):
        wanted = array_of(leaf).type if is_array(leaf) else found[name].type
        if found[name].type != wanted:
            raise ShapeError(
                f"{name!r} is {found[name].type}, but `like` has {wanted}",
                where=where,
                hint="it was written of parameters of other sizes",
            )
    return tree.build([found[n] for n in names])


def _listed(names: set[str]) -> str:
    shown = [repr(n) for n in sorted(names)]
    more = f" and {len(shown) - 3} more" if len(shown) > 3 else ""
    return ", ".join(shown[:3]) + more if shown else "nothing"


def _safetensors(path: str | os.PathLike[str]) -> str:
    if not isinstance(path, (str, os.PathLike)):
        raise OperandError(
            f"a path is needed, not {shown(path)}",
            where=caller_location(),
            hint="the path goes first: nn.save(path, params), nn.load(path, like=params)",
        )
    found = os.fspath(path)
    if not found.endswith(".safetensors"):
        raise ArtifactError(
            "the name of the file does not end in .safetensors",
            where=found,
            hint="that is the format that parameters are kept in",
        )
    return found


def _dotted(path: str) -> str:
    """What leads to a leaf as parameters of graphs and arrays in files are named: `layers.0.w`."""
    return re.sub(r"\W+", ".", path).strip(".")


def _names(tree: Tree, before: str = "") -> list[str]:
    """The name of each leaf."""
    if tree.kind is None:
        return [before or "value"]
    fields = tree.keys or getattr(tree.kind, "_fields", ()) or range(len(tree.children))
    found: list[str] = []
    for key, child in zip(fields, tree.children, strict=True):
        if not isinstance(key, (str, int)) or "." in str(key) or not str(key):
            raise OperandError(
                f"the key {key!r} cannot be part of a name",
                where=caller_location(),
                hint="keys of what is saved are strings without points",
            )
        found += _names(child, f"{before}.{key}" if before else str(key))
    return found


def _numbers(name: str, leaf: Any) -> np.ndarray[Any, Any]:
    if is_array(leaf) or isinstance(leaf, (bool, int, float)):
        return array_of(leaf).numpy()
    raise OperandError(
        f"{name!r} is {type(leaf).__name__}, not an array: {shown(leaf)}",
        where=caller_location(),
        hint="arrays and numbers are saved; keep settings in a file of their own",
    )


def _nested(arrays: dict[str, Array], where: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, array in arrays.items():
        *path, last = name.split(".")
        inner = found
        for part in path:
            inner = inner.setdefault(part, {})
            if not isinstance(inner, dict):
                raise ArtifactError(f"{name!r} lies within another array", where=where)
        if last in inner:
            raise ArtifactError(f"{name!r} lies within another array", where=where)
        inner[last] = array
    return found
