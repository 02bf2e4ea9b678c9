from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from dxir.errors import DxirError
from dxir.tools import new
from dxir.tools.main import main
from dxir.tools.new import checked_name, write_project

ROOT = Path(__file__).parents[2]
NAME = "acme_front"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    assert main(["new", NAME, f"--path={tmp_path}"]) == 0
    return tmp_path / NAME


def run(project: Path, *arguments: str, **variables: str) -> str:
    """Run a module of this Python's in the project; gives what it wrote, and wants exit code 0."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=project,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=250,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_a_project_has_all_it_needs_and_its_name_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", NAME, f"--path={tmp_path}"]) == 0
    told = capsys.readouterr().out
    project = tmp_path / NAME
    assert f"cd {project}" in told
    files = {p.relative_to(project).as_posix(): p for p in project.rglob("*") if p.is_file()}
    assert {
        ".github/workflows/ci.yml",
        ".gitignore",
        ".pre-commit-config.yaml",
        "Makefile",
        "README.md",
        "models/small.net",
        "pyproject.toml",
        f"src/{NAME}/__init__.py",
        f"src/{NAME}/ops.py",
        "tests/golden/small.mlir",
        "tests/test_frontend.py",
    } <= set(files)
    for name, path in files.items():
        assert name in told
        text = path.read_text("utf-8")
        assert not [word for word in ("@NAME@", "@STABLEHLO@", "@RELEASE@") if word in text]
    settings = tomllib.loads(files["pyproject.toml"].read_text("utf-8"))
    assert settings["project"]["name"] == NAME
    assert settings["project"]["dependencies"][0].startswith("dxir>=")
    # Tabs are what make wants, and there is no line end of another system's.
    assert "\n\t$(BIN)/pytest\n" in files["Makefile"].read_bytes().decode()


def test_its_tests_pass(project: Path) -> None:
    told = run(project, "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")
    assert "passed" in told
    run(project, "dxir.tools.main", "verify", "tests/golden")


def test_its_command_writes_an_artifact(project: Path) -> None:
    written = run(project, f"{NAME}", "models/small.net", "-o", "small.mlirbc", PYTHONPATH="src")
    assert "for StableHLO 1.0.0 and later" in written
    assert "1.0.0" in run(project, "dxir.tools.main", "translate", "--info", "small.mlirbc")


@pytest.mark.skipif(importlib.util.find_spec("ruff") is None, reason="ruff is not installed")
@pytest.mark.parametrize("name", ["a", NAME, "a" * 40])
def test_ruff_finds_nothing_in_it_however_long_its_name(name: str, tmp_path: Path) -> None:
    project = tmp_path / name
    write_project(name, project)
    run(project, "ruff", "check", "--no-cache", ".")
    run(project, "ruff", "format", "--no-cache", "--check", ".")


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_mypy_finds_nothing_in_it(project: Path) -> None:
    # What is wrong in dxir itself, whose sources stand in for an installed one, is told elsewhere.
    links = ROOT / "build" / "typing"
    run(project, "mypy", "--follow-imports=silent", MYPYPATH=str(links))


@pytest.mark.skipif(
    importlib.util.find_spec("check_jsonschema") is None, reason="it is not installed"
)
def test_its_workflow_is_one_of_github(project: Path) -> None:
    schema = ("--builtin-schema", "vendor.github-workflows")
    run(project, "check_jsonschema", *schema, ".github/workflows/ci.yml")


@pytest.mark.parametrize(
    ("name", "reason", "hint"),
    [
        ("my-front", "cannot be the name", "as in my_front"),
        ("MyFront", "cannot be the name", "as in myfront"),
        ("1st", "cannot be the name", "as in st"),
        ("_front", "cannot be the name", "as in front"),
        ("front_", "cannot be the name", "as in front"),
        ("", "cannot be the name", "begins with a letter"),
        ("../up", "cannot be the name", "as in up"),
        ("a" * 41, "cannot be the name", "at most 40"),
        ("größe", "cannot be the name", "small letters"),
        ("a\nb", "cannot be the name", "as in a_b"),
        ("class", "is a word of Python's", "class_frontend"),
        ("match", "is a word of Python's", "match_frontend"),
        ("json", "is a module of Python's", "json_frontend"),
        ("tests", "is taken here", "tests_frontend"),
        ("dxir", "is taken here", "dxir_frontend"),
        ("numpy", "is a package that is installed here", "numpy_frontend"),
    ],
)
def test_names_that_no_package_can_have_are_refused(
    name: str, reason: str, hint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", f"--path={tmp_path}", "--", name]) == 1
    error, note = capsys.readouterr().err.splitlines()
    assert error.startswith("dxir new: error: ")
    assert reason in error
    assert hint in note
    assert list(tmp_path.iterdir()) == []


def test_names_of_packages_are_taken_as_they_are() -> None:
    for name in ("a", "acme", "acme2", "acme_front_end"):
        assert checked_name(name) == name


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / NAME / "kept.txt"
    kept.parent.mkdir()
    kept.write_text("mine")
    assert main(["new", NAME, f"--path={tmp_path}"]) == 1
    error, note = capsys.readouterr().err.splitlines()
    assert error == f"dxir new: {kept.parent}: error: the folder is not empty"
    assert "nothing is overwritten" in note
    assert [p.name for p in tmp_path.rglob("*")] == [NAME, "kept.txt"]
    (tmp_path / "other").write_text("a file")
    (tmp_path / "link").symlink_to(kept.parent)
    for name in ("other", "link"):
        with pytest.raises(DxirError, match="there is a file of that name"):
            write_project(name, tmp_path / name)


def test_an_empty_folder_and_folders_that_are_missing_are_filled(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    assert "pyproject.toml" in write_project(NAME, tmp_path / NAME)
    assert (tmp_path / NAME / "README.md").is_file()
    assert "pyproject.toml" in write_project(NAME, tmp_path / "a" / "b" / NAME)
    assert not list(tmp_path.rglob(f".{NAME}-*"))


def test_what_cannot_be_written_is_told_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert main(["new", NAME, f"--path={tmp_path / 'file'}"]) == 1
    assert "the project cannot be written" in capsys.readouterr().err

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(new.shutil, "move", full)
    assert main(["new", NAME, f"--path={tmp_path}"]) == 1
    assert "No space left on device" in capsys.readouterr().err
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_the_templates_are_no_files_of_an_editable_install() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    editable = settings["tool"]["scikit-build"]["overrides"][0]
    assert editable["if"]["state"] == "editable"
    assert "*.template" in editable["wheel"]["exclude"]
    spec = importlib.util.find_spec("dxir.tools")
    assert spec is not None
    assert spec.origin is not None
    files = [p for p in (Path(spec.origin).parent / "starter").rglob("*") if p.is_file()]
    assert {p.suffix for p in files} == {".template"}
