"""The plugin of pytest, in runs of pytest of its own."""

from importlib.metadata import entry_points

import pytest

import dxir

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


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    """What runs in this process import is forgotten after each, and NumPy loads only once."""
    dxir.load("module {}")


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


SEVERAL = """
import pytest

def emitted(op):
    head = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\\n"
    return head + f"%0 = stablehlo.{op} %x : tensor<f32>" + "\\nreturn %0 : tensor<f32> }"

def test_op(dxir_snapshot):
    dxir_snapshot(emitted("tanh"))

class TestMore:
    def test_op(self, dxir_snapshot):
        dxir_snapshot(emitted("abs"))

@pytest.mark.parametrize("op", ["sine", "cosine"], ids=["a b", "a/b"])
def test_ids(op, dxir_snapshot):
    dxir_snapshot(emitted(op))

def test_twice(dxir_snapshot):
    dxir_snapshot(emitted("sine"), "a")
    dxir_snapshot(emitted("cosine"), "a")
"""


def test_what_one_snapshot_holds_is_not_written_over_by_another(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(SEVERAL)
    written = pytester.runpytest_inprocess(*PLUGIN, "-p", "no:cacheprovider", "--dxir-update")
    written.assert_outcomes(passed=3, failed=2)
    written.stdout.fnmatch_lines(["*have one snapshot*", "*give one of them a name*"])
    kept = {path.stem: path.read_text() for path in pytester.path.glob("__snapshots__/*/*.mlir")}
    assert {name: text.split("stablehlo.")[1].split()[0] for name, text in kept.items()} == {
        "test_op": "tanh",
        "TestMore.test_op": "abs",
        "test_ids-a-b": "sine",
        "test_twice-a": "sine",
    }


def test_a_run_that_does_not_use_it_imports_no_mlir(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "import sys\n"
        "def test_nothing():\n"
        "    assert 'dxir.testing.plugin' in sys.modules\n"
        "    assert not [m for m in sys.modules if m.startswith(('jaxlib', 'numpy'))]\n"
    )
    pytester.runpytest_subprocess(*PLUGIN, "-p", "no:cacheprovider").assert_outcomes(passed=1)
