"""Arrays have no terms: a program whose parameters or results are in terms is not compiled."""

import pytest

import dxir
from dxir import P, f32, ops


@pytest.mark.parametrize("what", ["parameter", "result"])
def test_a_boundary_with_unreduced_axes_is_refused(what: str) -> None:
    b = dxir.Builder("main", mesh=dxir.Mesh("mesh", {"x": 2}))
    terms = P(unreduced=("x",))
    x = b.param(f32[4], sharding=terms if what == "parameter" else P())
    function = b.build(ops.exp(x), shardings=[terms if what == "result" else P()])
    with pytest.raises(dxir.DxirError, match=f"{what} 0 of main is in terms"):
        dxir.compile(function, devices=2)
