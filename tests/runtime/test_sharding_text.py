"""Shardings in HLO's text: those that XLA would end the process over are not given to it."""

import pytest

from dxir.runtime import pjrt


@pytest.mark.parametrize(
    "text",
    [
        "{devices=[4,2]<=[8]}",
        "{devices=[3,4]<=[2,3,2]T(1,0,2)}",
        "{devices=[2,1,4]<=[8] last_tile_dim_replicate}",
        "{devices=[2,2]0,1,3,2}",
        "{replicated}",
        "{manual}",
        "{maximal device=0}",
        "{{devices=[4]<=[4]}, {replicated}}",
    ],
)
def test_shardings_that_xla_writes_are_read(text: str) -> None:
    assert pjrt.is_hlo_sharding(text)


@pytest.mark.parametrize(
    "text",
    [
        "{devices=[4,2]<=[20]}",
        "{devices=[4,2]<=[2,4]T(1,1)}",
        "{devices=[4,2]<=[2,4]T(0)}",
        "{devices=[0]<=[0]}",
        "{devices=[100000,100000]<=[100000,100000]}",
        "{devices=[2,2]0,1,2}",
        "{devices=[2]0,0}",
        "{devices=[2",
        "{devices=}",
        "no sharding",
        "",
    ],
)
def test_what_would_end_the_process_is_no_sharding(text: str) -> None:
    assert not pjrt.is_hlo_sharding(text)
