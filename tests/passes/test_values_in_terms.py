"""What is asked for in terms, by unreduced axes, is summed up once, though Shardy does it twice."""

import numpy as np
import pytest

import dxir
from dxir import P, f32, ops
from dxir.runtime.partitioned import run_partitioned


@pytest.mark.parametrize("wanted", [P(), P("x")])
def test_a_product_in_terms_is_summed_up_once(wanted: P) -> None:
    b = dxir.Builder("main", mesh=dxir.Mesh("mesh", {"x": 2}))
    a, c = b.param(f32[4, 8], sharding=P(None, "x")), b.param(f32[8, 4], sharding=P("x"))
    terms = ops.sharding_constraint(ops.matmul(a, c), P(unreduced=("x",)))
    program = dxir.lower(b.build(ops.sharding_constraint(terms, wanted), shardings=[wanted]))
    made = program.run_passes("dxir-partition")
    given = [np.ones((4, 8), np.float32), np.ones((8, 4), np.float32)]
    np.testing.assert_array_equal(run_partitioned(made, given)[0], np.full((4, 4), 8.0))
