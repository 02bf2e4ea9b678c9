"""The generated files say what the registry says."""

import pytest

from dxir.errors import DxirError
from dxir.generate import checkout, generate


def test_the_generated_files_are_up_to_date() -> None:
    try:
        checkout()
    except DxirError:
        pytest.skip("not a checkout")
    changed, current = generate(check=True)
    assert changed == [], "run `dxir generate`"
    assert {p.name for p in current if p.parent.name != "rules"} == {
        "derivative-coverage.md",
        "diagnostic-codes.md",
        "ops.md",
        "ops.pyi",
        "passes.md",
        "rules.md",
    }
