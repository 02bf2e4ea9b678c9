from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dxir.tools.commands import COMMANDS
from dxir.tools.main import main

BASH = shutil.which("bash")
needs_bash = pytest.mark.skipif(BASH is None, reason="bash is not installed")
ASK = """
eval "$(dxir completion bash)"
COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9
read -ra words <<<"$1"
$(complete -p "${words[0]}" | sed 's/.*-F \\([^ ]*\\).*/\\1/') "${words[0]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """A folder with a `dxir` that this interpreter runs, whatever is installed."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "dxir"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m dxir.tools.main "$@"\n')
    script.chmod(0o755)
    return folder


def asked(line: str, folder: Path) -> list[str]:
    """What bash offers at the end of a line."""
    assert BASH is not None
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    done = subprocess.run(
        [BASH, "--norc", "-c", ASK, "ask", line],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return [word.strip() for word in done.stdout.splitlines() if word.strip()]


@needs_bash
def test_bash_completes_commands_options_and_names(commands: Path) -> None:
    assert asked("dxir ", commands) == [command.name for command in COMMANDS]
    assert asked("dxir opt --dxir-decomp", commands) == ["--dxir-decompose"]
    assert "dxir-decompose" in asked("dxir passes dxir-", commands)
    assert "softmax" in asked("dxir ops soft", commands)
    assert "xla-cpu" in asked("dxir can-run m.mlir --target ", commands)
    assert "--older-than" in asked("dxir cache clear --o", commands)


@needs_bash
@pytest.mark.slow  # each is a process, which imports MLIR
def test_bash_completes_the_tools_under_their_own_names_choices_lists_and_files(
    commands: Path,
) -> None:
    assert asked("dxir-opt m.mlir --canonicaliz", commands) == ["--canonicalize"]
    assert asked("dxir-run --format ", commands) == ["text", "npy", "npz", "safetensors"]
    assert asked("dxir run --compare=xla-cpu,ref", commands) == ["xla-cpu,reference"]
    assert "structure-function-terminator" in asked("dxir verify --only=structure-f", commands)
    assert "attention" in asked("dxir patterns att", commands)
    (commands / "model.mlir").touch()
    assert asked("dxir opt mod", commands) == ["model.mlir"]
    assert asked("dxir nothing --x", commands) == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for name in ("dxir", "dxir-opt", "dxir-verify"):
        assert name in script
    program = shutil.which(shell)
    if program is not None:
        done = subprocess.run([program, "-n"], input=script, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


def test_another_shell_is_misuse(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["completion", "cmd"])
    assert ended.value.code == 2
    assert "'cmd'" in capsys.readouterr().err


def test_a_line_that_nobody_asks_about_runs_as_ever(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_ARGCOMPLETE", "1")
    monkeypatch.delenv("COMP_LINE", raising=False)
    monkeypatch.setattr(sys, "argv", ["dxir", "--version"])
    assert main() == 0
    assert capsys.readouterr().out.startswith("dxir ")
