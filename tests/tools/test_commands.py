"""What holds of every command of `dxir`, over the table of them."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dxir.tools.commands import COMMANDS, Command, find_command
from dxir.tools.main import main

Capture = pytest.CaptureFixture[str]

NAMES = [command.name for command in COMMANDS]
# mlir-opt and mlir-translate end with 1 for options that they do not know, and so do these.
LIKE_MLIR = ("opt", "translate")
# What was not run at all is neither good nor a finding.
NOT_RUN = ("verify", "diff")
# These tell nothing that a program would read, or write modules and files only.
TELLS_NOTHING = ("opt", "reduce", "launch", "new", "completion", "generate")
READS_A_MODULE = (
    "opt", "translate", "run", "verify", "reduce", "view", "cost", "sharding", "approximations",
    "can-run",
)  # fmt: skip
NEEDED = {"can-run": ["--target=portable"], "reduce": ["--", "false"]}
MODULE = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def ended(arguments: list[str]) -> int:
    """The exit code of a command, run in this process."""
    try:
        return main(arguments)
    except SystemExit as error:
        return int(error.code or 0)


def helps(name: str, capsys: Capture) -> list[str]:
    """The help of a command, or of each of those below it."""
    found: list[str] = []
    for words in ([name, "info"], [name, "clear"]) if name == "cache" else ([name],):
        assert ended([*words, "--help"]) == 0
        captured = capsys.readouterr()
        assert captured.err == ""
        found.append(captured.out)
    return found


def spawned(
    *arguments: str, stdin: bytes = b"", cwd: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[bytes]:
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    return subprocess.run(
        [sys.executable, "-m", "dxir.tools.main", *arguments],
        input=stdin,
        capture_output=True,
        env={**kept, **variables},
        cwd=cwd,
        timeout=120,
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_command_says_what_it_is_for_and_how_it_is_called(name: str, capsys: Capture) -> None:
    for text in helps(name, capsys):
        assert re.match(rf"usage: dxir {name}\b", text, re.I)
        assert len(text.splitlines()) > 5
        assert re.search(r"(?m)^\s*(-h, )?--help\b", text)
        assert re.search(r"(?m)^\s*--debug\b", text)
        command = find_command(name)
        assert command is not None
        assert command.is_tool or name == "cache" or f"as in: dxir {name} " in text


@pytest.mark.parametrize("name", NAMES)
def test_options_are_spelled_alike_everywhere(name: str, capsys: Capture) -> None:
    for text in helps(name, capsys):
        heads = [line for line in text.splitlines() if re.match(r"\s{2}-", line)]
        for long, short in (("--out", "-o"), ("--html", "-o"), ("--jobs", "-j"), ("--quiet", "-q")):
            for head in heads:
                if re.search(rf"{long}\b(?!-)", head):
                    assert re.match(rf"\s+{short}\b", head), head
        spelled = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", "\n".join(heads)))
        assert not spelled & {"--as-json", "--output-file", "--verbosity", "--traceback"}
        assert "--pass-pipeline" not in spelled or "--passes" in spelled
        assert "--pipeline" not in spelled or "--passes" in spelled
        if name not in TELLS_NOTHING and "clear" not in text.splitlines()[0]:
            assert "--json" in spelled


@pytest.mark.parametrize("name", NAMES)
def test_an_option_that_is_none_is_misuse_and_the_nearest_is_named(
    name: str, capsys: Capture
) -> None:
    assert ended([name, *_positional(name), "--debgu"]) == (1 if name in LIKE_MLIR else 2)
    captured = capsys.readouterr()
    assert captured.out == ""
    error, note, *rest = captured.err.splitlines()
    assert rest == []
    assert error.startswith(f"dxir {name}: error: ")
    assert "--debgu" in error
    assert note == f"dxir {name}: note: did you mean --debug?"


def _positional(name: str) -> list[str]:
    return {
        "opt": [os.devnull],
        "cache": ["info"],
        "new": ["acme"],
        "completion": ["bash"],
        "can-run": ["--target=portable"],
        "launch": ["-n", "2"],
    }.get(name, [])


def test_a_command_that_is_none_is_misuse_and_the_nearest_is_named(capsys: Capture) -> None:
    for given, hint in (
        ("pases", "did you mean passes"),
        ("dxir-opt", "did you mean opt"),
        ("qqq", "dxir --help lists them"),
    ):
        assert main([given]) == 2
        error, note = capsys.readouterr().err.splitlines()
        assert error == f"dxir: error: there is no command '{given}'"
        assert note.startswith(f"dxir: note: {hint}")
    assert main(["--jsn", "ops"]) == 2
    assert "there is no option --jsn" in capsys.readouterr().err


def test_the_help_lists_every_command(capsys: Capture) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    for command in COMMANDS:
        assert re.search(rf"(?m)^  {command.name}\s+\S", text)
        assert command.help in text


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c.name)
def test_what_the_table_names_is_there(command: Command) -> None:
    assert command.loaded(command.arguments) is not None
    if command.is_tool:
        module = command.loaded(command.run)
        assert callable(module.main)
        assert callable(module.entry)
        scripts = importlib.metadata.entry_points(group="console_scripts")
        assert scripts[f"dxir-{command.name}"].value == f"{module.__name__}:entry"
    else:
        assert callable(command.loaded(command.run))


def test_a_tool_is_the_same_under_both_names(tmp_path: Path, capsys: Capture) -> None:
    from dxir.tools import translate

    file = tmp_path / "m.mlir"
    file.write_text(MODULE)
    for arguments in (["--info", str(file)], [str(file), "--emit=nothing"], [str(tmp_path)]):
        code = main(["translate", *arguments])
        under_dxir = capsys.readouterr()
        assert translate.main(arguments) == code
        alone = capsys.readouterr()
        assert alone.out == under_dxir.out
        assert alone.err.replace("dxir-translate", "dxir translate") == under_dxir.err


def test_debug_before_the_command_is_debug_behind_it(capsys: Capture) -> None:
    assert ended(["--debug", "opt", "--help"]) == 0
    assert "usage: dxir opt" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["opt", "view"])
def test_what_takes_a_command_down_is_told_under_its_name(name: str, tmp_path: Path) -> None:
    program = (
        "import os, sys, types\n"
        "import dxir.tools.opt\n"
        "from dxir.tools import commands, main\n"
        "def die(*_): os.abort()\n"
        "dxir.tools.opt.run_tool = die\n"
        "sys.modules['dxir.tools.dying'] = types.SimpleNamespace(run=die)\n"
        "object.__setattr__(commands.find_command('view'), 'run', 'dying:run')\n"
        "main.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, name], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 1
    assert f"dxir {name}: error: starting ended the process with SIGABRT" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", READS_A_MODULE)
def test_bad_input_is_an_error_and_no_traceback(name: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.mlir"
    wanted = {1, 2} if name in NOT_RUN else {1}
    for data in (b"not a module", b"ML\xefR\x01\x02", bytes(range(256)), b"module {"):
        file.write_bytes(data)
        options = [str(file), *NEEDED.get(name, [])]
        done = spawned(name, *options, cwd=tmp_path)
        assert done.returncode in wanted, done.stderr
        assert b"error" in done.stderr + done.stdout
        assert b"Traceback" not in done.stderr + done.stdout
    for path in ("none.mlir", str(tmp_path), "\udcff\udcfe", "a\nb"):
        done = spawned(name, path, *NEEDED.get(name, []), cwd=tmp_path / ".")
        assert done.returncode in {*wanted, 2 if name in NOT_RUN else 1}, done.stderr
        assert b"Traceback" not in done.stderr + done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["ops"],
        ["passes", "--ours"],
        ["patterns"],
        ["targets"],
        ["cost", "m.mlir"],
        ["verify", "m.mlir"],
        ["can-run", "m.mlir", "--target=portable"],
        ["diff", "m.mlir", "m.mlir"],
        ["run", "m.mlir", "--random", "--time"],
        ["translate", "--info", "m.mlir"],
        ["cache", "info"],
    ],
    ids=" ".join,
)
def test_there_are_no_colours_in_pipes_nor_where_nobody_wants_them(
    arguments: list[str], tmp_path: Path
) -> None:
    (tmp_path / "m.mlir").write_text(MODULE)
    plain = spawned(*arguments, cwd=tmp_path)
    assert plain.returncode == 0, plain.stderr
    assert b"\x1b" not in plain.stdout + plain.stderr
    wanted = spawned(*arguments, cwd=tmp_path, FORCE_COLOR="1", NO_COLOR="1").stdout.decode()
    assert not [code for code in COLOUR.findall(wanted) if re.search(r"\b[34]\d\b|[34]8;", code)]


@pytest.mark.parametrize("arguments", [["ops", "softmax"], ["targets"], ["passes", "--ours"]])
def test_json_has_no_colours_whatever_is_wanted(
    arguments: list[str], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


def test_colours_are_there_where_they_are_asked_for(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    assert main(["targets"]) == 0
    assert "\x1b[1m" in capsys.readouterr().out


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    line = f'"{sys.executable}" -m dxir.tools.main passes | head -n 1'
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_help_and_usage_are_quick_since_nothing_is_imported_for_them() -> None:
    program = (
        "import contextlib, sys\n"
        "from dxir.tools.main import main\n"
        "for name in {names!r}:\n"
        "    with contextlib.suppress(SystemExit): main([name, '--help'])\n"
        "heavy = {{'jaxlib', 'numpy', 'rich', 'dxir.op', 'argcomplete'}} & set(sys.modules)\n"
        "assert not heavy, heavy"
    ).format(names=[name for name in NAMES if name not in LIKE_MLIR and name != "verify"])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_page_of_dxir_has_a_row_for_each_command() -> None:
    page = (Path(__file__).parents[2] / "docs" / "dxir.md").read_text("utf-8")
    rows = re.findall(r"(?m)^\| \[?`dxir ([\w-]+)`(?:\]\([\w.-]+\))? \| (.*) \|$", page)
    assert rows == [(command.name, command.help) for command in COMMANDS]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("arguments", [["--help"], ["completion", "bash"], ["ops", "softmax"]])
def test_a_full_disk_is_an_error_and_no_traceback(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "dxir.tools.main", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    name = "dxir" if arguments == ["--help"] else f"dxir {arguments[0]}"
    assert line == f"{name}: error: No space left on device"


@pytest.mark.parametrize("arguments", [["opt", "--version"], ["cost", "none.mlir"]])
def test_where_processes_cannot_fork_the_command_is_started_anew(
    arguments: list[str], capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dxir.tools import contained

    monkeypatch.setattr(contained, "_LOADED", ())
    monkeypatch.delattr(os, "fork")
    monkeypatch.setattr(sys, "argv", ["dxir", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capfd.readouterr()
    if arguments[0] == "opt":
        assert (ended.value.code, told.err) == (0, "")
        assert told.out.startswith("dxir opt (dxir ")
    else:
        assert ended.value.code == 1
        assert told.err.startswith("dxir cost: none.mlir: error: the file cannot be read")
