"""The action of GitHub: its scripts run as the runner runs them."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = YAML(typ="safe").load((ROOT / "action.yml").read_text("utf-8"))
STEPS: dict[str, dict[str, Any]] = {step["name"]: step for step in ACTION["runs"]["steps"]}

FAULTY = """\
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
"""
FINE = FAULTY.replace("stablehlo.return", "return")


@dataclass
class Runner:
    """What a runner gives the steps of an action, and what it reads from them."""

    workspace: Path
    temp: Path
    inputs: dict[str, str]
    outputs: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])

    def value(self, expression: str) -> str:
        """What a name in an expression stands for."""
        first, *rest = expression.split(".")
        if first == "inputs":
            return self.inputs.get(rest[0], ACTION["inputs"][rest[0]]["default"])
        if first == "steps":
            assert rest[1] == "outputs"
            return self.outputs.get(rest[0], {}).get(rest[2], "")
        assert expression == "github.action_path"
        return str(ROOT)

    def filled(self, text: str) -> str:
        """Text with its expressions replaced."""
        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda match: self.value(match[1]), text)

    def runs(self, step: dict[str, Any]) -> bool:
        """Whether the condition of a step holds, which compares names with strings."""
        terms = step["if"].split(" && ") if "if" in step else []
        found = [re.fullmatch(r"([\w.-]+) (==|!=) '(.*)'", term) for term in terms]
        return all(m and (self.value(m[1]) == m[3]) == (m[2] == "==") for m in found)

    def run(self, name: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the script of a step, whose outputs are kept."""
        step = STEPS[name]
        assert self.runs(step)
        assert "${{" not in step["run"], "an input in a script can be a command"
        script, output = self.temp / "script.sh", self.temp / "output"
        script.write_text(step["run"], "utf-8")
        output.write_text("")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.workspace / self.filled(step.get("working-directory", ".")),
            env={
                **os.environ,
                "GITHUB_ACTIONS": "true",
                "GITHUB_WORKSPACE": str(self.workspace),
                "GITHUB_OUTPUT": str(output),
                "GITHUB_STEP_SUMMARY": str(self.temp / "summary.md"),
                "RUNNER_TEMP": str(self.temp),
                **{key: self.filled(value) for key, value in step.get("env", {}).items()},
                **environment,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=120,
        )
        told = (line.partition("=") for line in output.read_text("utf-8").splitlines())
        self.outputs[step.get("id", name)] = {key: value for key, _, value in told}
        return done


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """A runner with dxir installed, and a repository with a faulty and a sound module."""
    workspace, temp = tmp_path / "workspace", tmp_path / "temp"
    (workspace / "models" / "new").mkdir(parents=True)
    temp.mkdir()
    (workspace / "models" / "new" / "a b.mlir").write_text(FAULTY, "utf-8")
    (workspace / "models" / "c.mlir").write_text(FINE, "utf-8")
    scripts = str(Path(sys.executable).parent)
    return Runner(workspace, temp, {}, {"install": {"scripts": scripts}})


def test_findings_are_annotated_summed_up_and_fail_the_job_at_its_end(runner: Runner) -> None:
    runner.inputs = {"paths": "models/**/*.mlir\r\n", "junit": "out/d.xml", "upload-sarif": "true"}
    done = runner.run("Check modules")
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith("::warning title=dxir-verify%3A structure-function-terminator,")
    assert "file=models/new/a b.mlir,line=3,col=3," in done.stdout
    outputs = runner.outputs["verify"]
    counts = {"files": "2", "errors": "0", "warnings": "1", "notes": "0"}
    assert {name: outputs[name] for name in counts} == counts
    assert {*ACTION["outputs"]} == {*outputs}
    log = json.loads(Path(outputs["sarif"]).read_text("utf-8"))
    (result,) = log["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {
        "uri": "models/new/a%20b.mlir", "uriBaseId": "%SRCROOT%"
    }  # fmt: skip
    assert "| ⚠️ <code>" in (runner.temp / "summary.md").read_text("utf-8")
    assert (runner.workspace / "out" / "d.xml").is_file()
    assert runner.runs(STEPS["Upload to code scanning"])
    assert runner.run("Result").returncode == 1


def test_a_job_passes_where_nothing_fails_it(runner: Runner) -> None:
    runner.inputs = {"fail-on": "error", "working-directory": "models", "sarif": "new/d.sarif"}
    done = runner.run("Check modules")
    assert "file=models/new/a b.mlir" in done.stdout
    assert runner.outputs["verify"]["sarif"].endswith("/models/new/d.sarif")
    assert not runner.runs(STEPS["Upload to code scanning"])
    assert runner.run("Result").returncode == 0


@pytest.mark.parametrize(
    ("inputs", "told"),
    [
        ({"paths": "models/no such.mlir"}, "models/no such.mlir"),
        ({"args": "--no-such-option"}, "--no-such-option"),
        ({"fail-on": "$(touch made)`touch made`"}, "touch made"),
    ],
)
def test_what_cannot_be_run_fails_the_job_and_says_why(
    inputs: dict[str, str], told: str, runner: Runner
) -> None:
    runner.inputs = inputs
    done = runner.run("Check modules")
    assert told in done.stdout
    assert runner.outputs["verify"]["exit-code"] == "2"
    assert not (runner.workspace / "made").exists()
    assert runner.run("Result").returncode == 2


def test_a_file_whose_name_is_an_option_is_a_file(runner: Runner) -> None:
    (runner.workspace / "models" / "c.mlir").rename(runner.workspace / "--fix")
    (runner.workspace / "--no-such.mlir").write_text(FINE, "utf-8")
    runner.inputs = {"paths": "*.mlir\n--fix"}
    runner.run("Check modules")
    assert runner.outputs["verify"]["files"] == "2"


@pytest.mark.parametrize(
    ("version", "wanted"),
    [("", str(ROOT)), ("0.1.0", "dxir==0.1.0"), (">=0.1,<0.2", "dxir>=0.1,<0.2")],
)
def test_dxir_is_installed_from_the_action_or_as_asked(
    version: str, wanted: str, runner: Runner, tmp_path: Path
) -> None:
    python = tmp_path / "bin" / "python3"
    python.parent.mkdir()
    python.write_text(
        '#!/bin/sh\nif [ "$2" = venv ]; then mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; fi\n'
        'for each; do echo "$each" >>"$RUNNER_TEMP/log"; done\n'
    )
    python.chmod(0o755)
    runner.inputs = {"version": version}
    done = runner.run("Install dxir", PATH=f"{python.parent}:{os.environ['PATH']}")
    assert done.returncode == 0, done.stdout
    assert (runner.temp / "log").read_text().splitlines()[-1] == wanted
    assert runner.outputs["install"]["scripts"] == str(runner.temp / "dxir-verify" / "bin")


def test_the_action_is_as_its_schema_says() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions",
         str(ROOT / "action.yml")],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
