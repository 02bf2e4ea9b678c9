"""The runner of `.mlir` tests, on RUN lines that need no tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from dxir_lit.running import Outcome, in_process, run_script
from dxir_lit.script import LitFailure, Script, features, parse_line, read_script

from dxir.testing.filecheck import file_check


def run(tmp_path: Path, *lines: str) -> None:
    path = tmp_path / "x.mlir"
    path.write_text("\n".join(lines) + "\n")
    run_script(read_script(path.read_text()), path, tmp_path, in_process)


def failure(tmp_path: Path, *lines: str) -> str:
    with pytest.raises(LitFailure) as caught:
        run(tmp_path, *lines)
    return str(caught.value)


def test_lines_are_joined_at_backslashes_and_keep_their_number() -> None:
    script = read_script("// x\n// RUN: a %s | \\\n// RUN:   b\n; RUN: c\n")
    assert [(r.text, r.line) for r in script.runs] == [("a %s | b", 2), ("c", 4)]


def test_words_pipes_and_redirections_are_those_of_a_shell() -> None:
    ((join, pipe),) = parse_line("""a --x='b c' "d \\"e"f\\ g 2>&1 >out | FileCheck <in""")
    assert join == ""
    assert pipe[0].words == ["a", "--x=b c", 'd "ef g']
    assert (pipe[0].stdout, pipe[0].stderr) == ("out", "|")
    assert (pipe[1].words, pipe[1].stdin) == (["FileCheck"], "in")
    joined = list(parse_line("a && b || c; d 2>e"))
    assert [j for j, _ in joined] == ["", "&&", "||", ";"]
    assert joined[-1][1][0].stderr == "e"


def test_what_holds_passes(tmp_path: Path) -> None:
    run(
        tmp_path,
        "// RUN: cat %s > %t && diff %s %t",
        "// RUN: printf 'a\\nb\\n' | count 2",
        "// RUN: not cat %s.none 2>&1 | FileCheck %s",
        "// RUN: false || true",
        "// RUN: ! false",
        "// RUN: cd %S && cat x.mlir | FileCheck %s --check-prefixes=A,B --dump-input=help",
        "// RUN: printf 'x bad\\n' | FileCheck %s --check-prefix=BAD --implicit-check-not=bad",
        "// CHECK: No such file",
        "// A-LABEL: RUN: cat",
        "// B: diff",
        "// BAD: x bad",
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("false", "x.mlir:1: false: exit code 1\n  $ false"),
        ("false | true", "x.mlir:1: false: exit code 1"),
        ("false; true", "x.mlir:1: false: exit code 1"),
        ("true && not true", "x.mlir:1: not: exit code 1"),
        ("printf 'a' | count 2", "2 lines expected, 1 found"),
        ("printf 'a' | FileCheck %s", 'x.mlir:2: error: Couldn\'t match "b"'),
        ("printf 'a' | FileCheck %s --no-such", "FileCheck: Unconsumed arguments"),
        ("printf 'b c' | FileCheck %s --implicit-check-not=c", "excluded string found: 'c'"),
        ("rmdir x", "RUN lines cannot call 'rmdir'"),
        ("not python -c 'import os; os.abort()'", "not: died of signal 6"),
        ("cat %s | ", "a command is missing"),
        ("cat >", "a file is missing after >"),
        ("cat (x)", "cat: exit code 1"),
        ("cat \\", "ends in a backslash, and nothing follows"),
    ],
)
def test_what_does_not_hold_says_where_and_why(tmp_path: Path, line: str, said: str) -> None:
    assert said in failure(tmp_path, f"// RUN: {line}", "// CHECK: b")


def test_a_file_without_run_lines_fails(tmp_path: Path) -> None:
    assert "x.mlir:1: the file has no RUN line" in failure(tmp_path, "module {}")


def test_conditions_are_about_the_versions_in_use() -> None:
    have = features()
    (some,) = (feature for feature in have if feature.startswith("jaxlib-0."))
    assert Script(requires=["none"]).reason_to_skip(have) == "requires none"
    assert Script(requires=[f"{some}, !none"]).reason_to_skip(have) is None
    assert Script(requires=[f"none || {some}"]).reason_to_skip(have) is None
    assert Script(unsupported=[f"none, {some}"]).reason_to_skip(have) is not None
    assert Script(unsupported=["none"]).reason_to_skip(have) is None
    assert read_script("// REQUIRES: a\n// UNSUPPORTED: b\n").requires == ["a"]


def test_filecheck_reads_the_file_it_is_told_to(tmp_path: Path) -> None:
    checks, text = tmp_path / "checks", tmp_path / "text"
    checks.write_text("// CHECK-LABEL: one\n// CHECK-NEXT: [[#@LINE]]\n")
    text.write_text("one\n")
    assert file_check([str(checks), f"--input-file={text}"], "")[0] != 0
    checks.write_text("// CHECK: one\n")
    assert file_check([str(checks), f"--input-file={text}"], "") == (0, "")


def test_a_tool_run_here_is_heard_on_every_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os
    import sys

    def main(argv: list[str]) -> int:
        print(sys.stdin.read().upper(), argv)
        os.write(2, b"from below\n")
        print("from above", file=sys.stderr)
        raise SystemExit(3)

    monkeypatch.setattr("dxir_lit.running._main_of", lambda module: main)
    assert in_process("dxir-opt", ["-x"], b"text", merged=False) == Outcome(
        3, b"TEXT ['-x']\n", b"from below\nfrom above\n"
    )
    assert in_process("sdy-opt", [], b"", merged=True).stdout.startswith(b"from below")
