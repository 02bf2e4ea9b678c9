"""What the page about CI shows is valid for the services it is for."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"^```yaml\n(.*?)^```", (ROOT / "docs/ci.md").read_text("utf-8"), re.M | re.S)
WORKFLOWS = [block for block in BLOCKS if "runs-on" in block]
GITLAB = ROOT / "docs" / "ci" / "gitlab-ci.yml"


def assert_valid(path: Path, schema: str, *options: str) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *options]
    done = subprocess.run([*command, str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_a_workflow_is_valid_and_gives_inputs_that_the_action_has(
    workflow: str, tmp_path: Path
) -> None:
    path = tmp_path / "workflow.yml"
    path.write_text(workflow, "utf-8")
    assert_valid(path, "vendor.github-workflows")
    yaml = YAML(typ="safe")
    action = yaml.load((ROOT / "action.yml").read_text("utf-8"))
    steps = yaml.load(workflow)["jobs"]["verify"]["steps"]
    assert {*steps[1]["with"]} <= {*action["inputs"]}


def test_the_job_of_gitlab_is_valid_and_the_one_of_the_page() -> None:
    assert GITLAB.read_text("utf-8") in BLOCKS
    assert_valid(GITLAB, "vendor.gitlab-ci", "--data-transform", "gitlab-ci")


def test_the_page_has_every_input_and_output_of_the_action_and_every_hook() -> None:
    yaml = YAML(typ="safe")
    page = (ROOT / "docs" / "ci.md").read_text("utf-8")
    action = yaml.load((ROOT / "action.yml").read_text("utf-8"))
    hooks = yaml.load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    named = [*action["inputs"], *action["outputs"], *(hook["id"] for hook in hooks)]
    assert [name for name in named if f"`{name}`" not in page and f"id: {name}" not in page] == []


def test_hooks_take_the_files_that_are_found_in_folders() -> None:
    from dxir.verify.files import SUFFIXES

    for hook in YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")):
        assert all(re.search(hook["files"], f"models/a{suffix}") for suffix in SUFFIXES)
        assert not re.search(hook["files"], "a.mlir.py")
