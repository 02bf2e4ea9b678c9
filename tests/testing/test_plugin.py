"""The plugin of pytest, in runs of pytest of its own."""

from importlib.metadata import entry_points

import pytest

pytest_plugins = ("pytester",)

INSTALLED = any(e.value == "dxir.testing.plugin" for e in entry_points(group="pytest11"))
PLUGIN = () if INSTALLED else ("-p", "dxir.testing.plugin")

TEST = '''
MODULE = """
func.func @main(%x: tensor<{size}xf32>) -> tensor<{size}xf32> {{
  %{name} = stablehlo.{op} %x : tensor<{size}xf32>
  return %{name} : tensor<{size}xf32>
}}
"""

def test_negation(dxir_snapshot):
    dxir_snapshot(MODULE{exact})
'''


def run(
    pytester: pytest.Pytester, *options: str, exact: str = "", **module: str
) -> pytest.RunResult:
    """A run of pytest over one test of a snapshot."""
    given = {"size": "4", "name": "0", "op": "negate", **module}
    pytester.makepyfile(TEST.format(exact=exact, **given))
    return pytester.runpytest_inprocess(*PLUGIN, "-p", "no:cacheprovider", *options)


def test_a_snapshot_is_written_when_asked_and_held_against_what_a_test_makes(
    pytester: pytest.Pytester,
) -> None:
    missing = run(pytester)
    missing.assert_outcomes(failed=1)
    missing.stdout.fnmatch_lines(["*there is no snapshot*", "*--dxir-update writes it*"])
    run(pytester, "--dxir-update").assert_outcomes(passed=1)
    (kept,) = pytester.path.glob("__snapshots__/*/test_negation.mlir")
    assert "stablehlo.negate" in kept.read_text()
    run(pytester).assert_outcomes(passed=1)
    run(pytester, name="other").assert_outcomes(passed=1)


def test_another_program_fails_with_the_difference_and_leaves_the_file(
    pytester: pytest.Pytester,
) -> None:
    run(pytester, "--dxir-update").assert_outcomes(passed=1)
    (kept,) = pytester.path.glob("__snapshots__/*/test_negation.mlir")
    before = kept.read_text()
    differs = run(pytester, op="abs")
    differs.assert_outcomes(failed=1)
    differs.stdout.fnmatch_lines(["*is not that of the snapshot*", "*-*stablehlo.negate*"])
    assert kept.read_text() == before
    run(pytester, "--dxir-update", op="abs").assert_outcomes(passed=1)
    assert "stablehlo.abs" in kept.read_text()


def test_a_snapshot_may_be_held_to_the_letter(pytester: pytest.Pytester) -> None:
    run(pytester, "--dxir-update").assert_outcomes(passed=1)
    (kept,) = pytester.path.glob("__snapshots__/*/test_negation.mlir")
    kept.write_text(f"// a word\n{kept.read_text()}")
    run(pytester).assert_outcomes(passed=1)
    run(pytester, exact=", exact=True").assert_outcomes(failed=1)


def test_a_run_that_does_not_use_it_imports_no_mlir(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "import sys\n"
        "def test_nothing():\n"
        "    assert 'dxir.testing.plugin' in sys.modules\n"
        "    assert not [m for m in sys.modules if m.startswith(('jaxlib', 'numpy'))]\n"
    )
    pytester.runpytest_subprocess(*PLUGIN, "-p", "no:cacheprovider").assert_outcomes(passed=1)
