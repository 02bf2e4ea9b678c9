"""Passes of the original tools that jaxlib does not have: why, and what does their work here."""

from __future__ import annotations

_NO_TOSA = (
    "the TOSA dialect is not part of it; stablehlo-legalize-to-linalg goes from StableHLO to linalg"
)
_NO_WAY = "the bindings of MLIR have no way to what it tests"
_LATER = "0.12.0.1 does"
_TEXTS = {
    "hlo-test-broadcast": _NO_WAY,
    "hlo-test-create-sort": _NO_WAY,
    "hlo-test-speculatability": _NO_WAY,
    "reconcile-unrealized-casts": "canonicalize removes casts that cancel each other",
    "sdy-optimize-collectives": _LATER,
    "sdy-per-instruction-partitioning": _LATER,
    "sdy-resolve-single-device-sharding": _LATER,
    "sdy-verify-unreduced-axes": _LATER,
    "stablehlo-aggressive-folder": "dxir-fold does the same kind of work",
    "stablehlo-aggressive-simplification": "dxir-simplify does the same kind of work",
    "stablehlo-legalize-to-tosa": _NO_TOSA,
    "stablehlo-prepare-for-tosa": _NO_TOSA,
    "stablehlo-quant-legalize-to-tosa-rescale": _NO_TOSA,
    "stablehlo-target-independent-optimization": (
        "dxir-fold and dxir-simplify do the same kind of work"
    ),
    "tosa-rescale-legalize-to-stablehlo": _NO_TOSA,
}
_MPMD = "mpmd-"
_NO_MPMD = (
    "it registers no pass of MPMD; mpmd-opt reads, verifies and prints their programs, and runs "
    "the passes of other dialects on them"
)


def why_missing(name: str) -> str | None:
    """Why a pass of another tool is not to be had, and what does its work; None if unknown."""
    text = _TEXTS.get(name)
    if text is None and name.startswith(_MPMD):
        text = _NO_MPMD
    if text is None:
        return None
    from dxir.mlir import jaxlib_version  # command lines are read without MLIR

    return f"jaxlib {jaxlib_version} does not have it: {text}"
