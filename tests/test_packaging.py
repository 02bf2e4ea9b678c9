"""What an installed dxir promises before any of it is used."""

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import dxir


def test_the_version_is_the_one_of_the_installed_distribution() -> None:
    assert dxir.__version__ == importlib.metadata.version("dxir")


def test_importing_dxir_and_its_namespaces_loads_no_bindings_and_warns_of_nothing() -> None:
    program = (
        "import sys, dxir.nn, dxir.numpy, dxir.random;"
        "print(*sorted({'jax', 'jaxlib', 'iree'} & set(sys.modules)))"
    )
    # -P keeps the checkout, whose folders have other names, off the path.
    run = subprocess.run(
        [sys.executable, "-P", "-W", "error", "-c", program], capture_output=True, text=True
    )
    assert (run.returncode, run.stdout.split(), run.stderr) == (0, [], "")


def test_the_package_is_marked_as_typed() -> None:
    assert Path(dxir.__file__).with_name("py.typed").is_file()


def test_jax_is_no_runtime_dependency() -> None:
    requirements = importlib.metadata.requires("dxir") or []
    names = {
        re.split(r"[^\w-]", requirement)[0]
        for requirement in requirements
        if "extra ==" not in requirement
    }
    assert names == {
        "argcomplete",
        "jaxlib",
        "ml_dtypes",
        "numpy",
        "opt_einsum",
        "platformdirs",
        "rich",
    }


def test_every_console_script_can_be_loaded() -> None:
    scripts = importlib.metadata.distribution("dxir").entry_points.select(group="console_scripts")
    assert [script.name for script in scripts if not callable(script.load())] == []
    assert "dxir" in scripts.names
