"""What is asked for in terms, by unreduced axes, and summed up by Shardy twice, is refused."""

import pytest

import dxir
from dxir import P, f32, ops


@pytest.mark.parametrize("pipeline", ["dxir-partition", "dxir-propagate,dxir-insert-collectives"])
def test_a_product_in_terms_that_shardy_sums_up_twice_is_refused(pipeline: str) -> None:
    b = dxir.Builder("main", mesh=dxir.Mesh("mesh", {"x": 2}))
    a, c = b.param(f32[4, 8], sharding=P(None, "x")), b.param(f32[8, 4], sharding=P("x"))
    terms = ops.sharding_constraint(ops.matmul(a, c), P(unreduced=("x",)))
    program = dxir.lower(b.build(ops.sharding_constraint(terms, P()), shardings=[P()]))
    with pytest.raises(dxir.DxirError, match='sum up a value twice over "x"') as told:
        program.run_passes(pipeline)
    assert told.value.where is not None
    assert "test_values_in_terms.py" in told.value.where
