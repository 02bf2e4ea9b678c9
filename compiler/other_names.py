"""Names of NumPy, JAX and PyTorch, and what is written here: for messages about what is not there.

Modules and arrays raise the AttributeError of `no_attribute` for a name they do not have.
"""

from __future__ import annotations

import difflib
import importlib
import re
from collections.abc import Collection, Mapping

_IN_PLACE = "arrays are not changed in place: take the result, x = x.at[i].set(v)"
_GRADIENTS = "gradients are of functions: dxir.grad(f)(x)"
_DEVICES = "compiled functions put arrays where they run: dxir.jit(f, target=...)"
_FUNCTIONAL = (
    "layers are functions of a dictionary: params = nn.init_linear(key, 3, 2); nn.linear(params, x)"
)

ARRAY = {
    "to": "x.astype(dtype) gives another element type; " + _DEVICES,
    "cuda": _DEVICES, "cpu": "np.asarray(x) gives its numbers to NumPy", "data": "np.asarray(x)",
    "device_buffer": _DEVICES, "detach": "dxir.stop_gradient(x)", "grad": _GRADIENTS,
    "backward": _GRADIENTS, "requires_grad": _GRADIENTS, "requires_grad_": _GRADIENTS,
    "zero_grad": _GRADIENTS, "view": "x.reshape(shape)", "contiguous": "arrays are contiguous",
    "unsqueeze": "x[None], or dxir.numpy.expand_dims(x, axis=0)",
    "permute": "dxir.numpy.permute_dims(x, axes)", "expand": "dxir.numpy.broadcast_to(x, shape)",
    "numel": "x.size", "dim": "x.ndim", "t": "x.T", "type": "x.dtype, or x.astype(dtype)",
    "float": "x.astype(dxir.f32)", "double": "x.astype(dxir.f64)", "half": "x.astype(dxir.f16)",
    "int": "x.astype(dxir.i32)", "long": "x.astype(dxir.i64)", "bool": "x.astype(dxir.i1)",
    "fill": "dxir.numpy.full_like(x, value)", "sort": "dxir.numpy.sort(x) gives a sorted array",
    "block_until_ready": "np.asarray(x) waits for the numbers", "resize": "x.reshape(shape)",
    "append": "dxir.numpy.concat([x, y])", "clone": "x.copy(); arrays are never changed",
    "add_": _IN_PLACE, "mul_": _IN_PLACE, "sub_": _IN_PLACE, "copy_": _IN_PLACE, "zero_": _IN_PLACE,
    "norm": "dxir.numpy.linalg.vector_norm(x)",
}  # fmt: skip
"""What is written in the place of attributes that arrays do not have."""

TOP = {
    "np": "dxir.numpy", "lax": "dxir.cond, dxir.scan, dxir.while_loop and dxir.fori_loop",
    "tensor": "dxir.numpy.asarray", "Tensor": "dxir.Array", "ndarray": "dxir.Array",
    "no_grad": "gradients are made by dxir.grad alone; dxir.stop_gradient(x) leaves one out",
    "optim": "dxir.nn.adam, dxir.nn.sgd and others", "optimizers": "dxir.nn.adam and others",
    "pmap": "dxir.vmap, and a mesh: shardings= of dxir.jit", "device_put": "dxir.to_device",
    "PRNGKey": "dxir.random.key", "tree_map": "dxir.tree.map", "tree_util": "dxir.tree",
    "save": "program.serialize(), or dxir.nn.save for parameters",
    "export": "dxir.function(f).lower(...).serialize()", "make_jaxpr": "dxir.function(f).trace",
    "float16": "dxir.f16", "float32": "dxir.f32", "float64": "dxir.f64", "bfloat16": "dxir.bf16",
    "int8": "dxir.i8", "int32": "dxir.i32", "int64": "dxir.i64", "uint8": "dxir.ui8",
    "bool": "dxir.i1", "manual_seed": "dxir.random.key", "seed": "dxir.random.key",
    "array": "dxir.numpy.asarray, or dxir.Array", "device": _DEVICES,
    "cuda": _DEVICES, "compiled": "dxir.compile", "trace": "dxir.function(f).trace(...)",
}  # fmt: skip

NN = {
    "Module": _FUNCTIONAL, "Sequential": _FUNCTIONAL, "Parameter": _FUNCTIONAL,
    "functional": "functions are in dxir.nn itself: nn.relu(x)",
    "F": "functions are in dxir.nn itself: nn.relu(x)",
    "optim": "optimizers are in dxir.nn itself: nn.adam", "init": "nn.initializers",
    "Dense": "nn.linear and nn.init_linear", "mse_loss": "nn.mse",
    "L1Loss": "nn.mae", "CrossEntropyLoss": "nn.cross_entropy",
    "BCEWithLogitsLoss": "nn.bce_with_logits", "Flatten": "dxir.numpy.reshape(x, (x.shape[0], -1))",
    "MultiheadAttention": "nn.attention and nn.init_attention",
    "one_hot": "dxir.ops.one_hot", "SmoothL1Loss": "nn.huber", "KLDivLoss": "nn.kl_divergence",
    "lr_scheduler": "nn.schedules", "clip_grad_norm_": "nn.clip_by_global_norm",
}  # fmt: skip

RANDOM = {
    "PRNGKey": "random.key(seed)", "seed": "nothing is kept: key = random.key(seed)",
    "default_rng": "random.key(seed)", "rand": "random.uniform(key, shape)",
    "random": "random.uniform(key, shape)", "randn": "random.normal(key, shape)",
    "standard_normal": "random.normal(key, shape)", "shuffle": "random.permutation(key, x)",
    "integers": "random.randint(key, shape, low, high)", "manual_seed": "random.key(seed)",
    "multinomial": "random.categorical(key, logits)",
}  # fmt: skip

TREE = {
    "tree_map": "tree.map", "tree_flatten": "tree.flatten", "tree_leaves": "tree.leaves",
    "tree_structure": "tree.flatten(x)[1]", "tree_unflatten": "tree.unflatten",
    "register_pytree_node": "tree.register", "register_dataclass": "dataclasses are containers",
}  # fmt: skip

_ELSEWHERE = ("numpy", "nn", "ops", "random", "tree")


def no_attribute(
    owner: str,
    name: str,
    known: Collection[str] = (),
    others: Mapping[str, str] | None = None,
    kind: str = "attribute",
) -> AttributeError:
    """The error about a name that something does not have, with what is written here instead.

    `owner` says what it is, as in "an array" or "dxir.nn"; `known` are its names, `others` those of
    other libraries. Names that other modules of dxir have are found there.
    """
    hint = None if name.startswith("__") else _meant(owner, name, known, others or {})
    text = f"{owner} has no {kind} {name!r}"
    return AttributeError(f"{text}; {hint}" if hint else text, name=name)


def _meant(owner: str, name: str, known: Collection[str], others: Mapping[str, str]) -> str | None:
    told = others.get(name)
    if told is not None:
        return told if re.search(r"[:;]| \w+ \w+ ", told) else f"did you mean {told}?"
    plain = _plain(name)
    same = [k for k in known if _plain(k) == plain]
    if same:
        layer = f"init_{same[0]}" in known
        made = f" and {_short(owner)}init_{same[0]}" if layer else ""
        return f"did you mean {_short(owner)}{same[0]}{made}?"
    for home in _ELSEWHERE:
        if owner != f"dxir.{home}" and name in dir(importlib.import_module(f"dxir.{home}")):
            call = f"dxir.{home}.{name}"
            return f"did you mean {call}{'(x)' if owner == 'an array' else ''}?"
    near = difflib.get_close_matches(name, [k for k in known if not k.startswith("_")], n=2)
    return f"did you mean {' or '.join(near)}?" if near else None


def _short(owner: str) -> str:
    return f"{owner.removeprefix('dxir.')}." if owner.startswith("dxir.") else ""


def _plain(name: str) -> str:
    """What spellings of a name have in common: `BatchNorm2d`, `batch_norm`."""
    return re.sub(r"loss$|[123]d$|_", "", name, flags=re.I).lower()
