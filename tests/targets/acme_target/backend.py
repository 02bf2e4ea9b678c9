"""A build backend that needs nothing, so that the package installs where there is no network."""

import tomllib
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent


def build_wheel(folder: str, settings: Any = None, metadata: Any = None) -> str:
    """Write the wheel into a folder; gives its name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    package = project["name"].replace("-", "_")
    info = f"{package}-{project['version']}.dist-info"
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in project["entry-points"].items()
    )
    files = {f"{package}/{p.name}": p.read_text("utf-8") for p in (ROOT / package).glob("*.py")}
    files |= {
        f"{info}/METADATA": (
            f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        ),
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": points,
    }
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
    name = f"{package}-{project['version']}-py3-none-any.whl"
    with zipfile.ZipFile(Path(folder, name), "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
    return name
