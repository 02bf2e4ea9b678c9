"""PJRT plugins: shared libraries with the devices of a platform, and targets made of them."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dxir.errors import ArgumentError, TargetError
from dxir.runtime import pjrt
from dxir.runtime.deep import call_deep
from dxir.runtime.devices import assigned, finished, free, marked
from dxir.runtime.entry import entry_of
from dxir.runtime.executable import Executable
from dxir.runtime.failures import explained
from dxir.runtime.hlo_shardings import only_hlo_shardings
from dxir.runtime.reaching import reached_only
from dxir.structure import preflight
from dxir.targets.acceptance import Accepts
from dxir.targets.builtin import xla
from dxir.targets.record import Target

if TYPE_CHECKING:
    from dxir.targets.record import Source

VARIABLE = "PJRT_NAMES_AND_LIBRARY_PATHS"
"""The variable that names plugins as JAX reads it: `name:path,name:path`."""

# Where the packages of a platform have their library, as `package` and a pattern for the file.
_PACKAGES = {
    "cuda": (
        ("jax_plugins.xla_cuda13", "xla_cuda_plugin.so"),
        ("jax_plugins.xla_cuda12", "xla_cuda_plugin.so"),
    ),
    "rocm": (
        ("jax_plugins.xla_rocm7", "xla_rocm_plugin.so"),
        ("jax_plugins.xla_rocm60", "xla_rocm_plugin.so"),
    ),
    "tpu": (("libtpu", "libtpu.so"),),
}
# What to install for a platform, as package indexes name it.
_DISTRIBUTIONS = {
    "cuda": "jax-cuda13-plugin or jax-cuda12-plugin",
    "rocm": "jax-rocm7-plugin or jax-rocm60-plugin",
    "tpu": "libtpu",
}
_NAMESPACES = ("jax_plugins", "xla_plugins")
_LIBRARY = re.compile(r"(pjrt|plugin).*\.(so|dylib|dll)$")


def plugins() -> dict[str, Path]:
    """The plugins that are to be had here, by the name of their platform.

    Those of the environment variable PJRT_NAMES_AND_LIBRARY_PATHS come first, then those of
    installed packages.
    """
    found: dict[str, Path] = {}
    for part in filter(None, os.environ.get(VARIABLE, "").split(",")):
        name, colon, path = part.partition(":")
        if not colon or not name or not path:
            raise TargetError(
                f"{VARIABLE} has {part!r}, which is not name:path",
                hint="correct the environment variable: name:path,name:path",
            )
        found[name] = Path(path)
    for name, places in _PACKAGES.items():
        for package, file in places:
            for folder in _folders(package):
                if (folder / file).is_file():
                    found.setdefault(name, folder / file)
    for name, library in _in_namespaces():
        found.setdefault(name, library)
    return found


def _folders(package: str) -> list[Path]:
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return []
    return [] if spec is None else [Path(p) for p in spec.submodule_search_locations or ()]


def _in_namespaces() -> Iterator[tuple[str, Path]]:
    known = {package for places in _PACKAGES.values() for package, _ in places}
    for namespace in _NAMESPACES:
        for folder in _folders(namespace):
            for package in sorted(p for p in folder.iterdir() if p.is_dir()):
                if f"{namespace}.{package.name}" in known:
                    continue
                files = sorted(f for f in package.iterdir() if _LIBRARY.search(f.name))
                if files:
                    yield package.name, files[0]


def devices(target: str = "xla-cpu", count: int | None = None) -> tuple[pjrt.Device, ...]:
    """The devices of a target of XLA's, or of the plugin of that name.

    For `xla-cpu`, the processors of this machine are as many virtual devices as are asked for (one
    by default); with several processes, the devices of all. Raises TargetError where there are
    fewer than `count`, or there is no such plugin.
    """
    if not isinstance(target, str):
        raise ArgumentError(
            f"devices takes the name of a target, not {target!r}", hint="dxir.devices(count=8)"
        )
    platform = target.removeprefix("xla-")
    if platform == "cpu":
        client = pjrt.cpu_client(1 if count is None else count)
        wanted = count if count is not None or client.is_shared else 1
        return client.devices[:wanted]
    found = client_of(platform).devices
    if count is not None and len(found) < count:
        raise TargetError(f"{target} has {len(found)} devices here, not {count}")
    return found[:count]


def client_of(
    platform: str, library: Path | None = None, options: Mapping[str, Any] | None = None
) -> pjrt.Client:
    """The devices of a platform, through its plugin.

    Raises TargetError where there is no such plugin, saying how one is had.
    """
    path = library or plugins().get(platform)
    if path is None:
        package = _DISTRIBUTIONS.get(platform)
        install = f"install {package}, or " if package else ""
        there = ", ".join(plugins()) or "none"
        raise TargetError(
            f"there is no PJRT plugin for {platform} here (found: {there})",
            hint=f"{install}name its library: {VARIABLE}={platform}:/path/plugin.so",
        )
    if not path.is_file():
        raise TargetError(f"the PJRT plugin for {platform} is not there", where=str(path))
    return pjrt.plugin_client(platform, str(path), options)


def plugin_target(
    name: str,
    *,
    platform: str,
    library: str | os.PathLike[str] | None = None,
    options: Mapping[str, Any] | None = None,
    summary: str = "",
    accepts: Accepts = xla.ACCEPTS,
) -> Target:
    """A target whose programs a PJRT plugin compiles and runs.

    `platform` names the plugin among those installed, or is the name for `library`, the path of
    one; `options` are the plugin's own. Register it with `register_target`, or hand it to
    `dxir.compile`. Nothing is loaded before something is compiled.
    """
    path = None if library is None else Path(os.fspath(library))
    return Target(
        name,
        summary or f"what the PJRT plugin for {platform} compiles for",
        compiler_for(name, platform, path, options),
        accepts=accepts,
        program_passes=xla.PROGRAM_PASSES,
    )


def compiler_for(
    target: str,
    platform: str,
    library: Path | None = None,
    options: Mapping[str, Any] | None = None,
) -> Callable[[Source], Executable]:
    """What compiles for a target through the plugin of a platform."""

    def compile_source(source: Source) -> Executable:
        return _compiled(source, target, client_of(platform, library, options))

    return compile_source


def has_cuda() -> bool:
    """Whether there is a plugin for NVIDIA's GPUs."""
    return "cuda" in plugins()


def has_tpu() -> bool:
    """Whether there is a plugin for TPUs."""
    return "tpu" in plugins()


def compile_cuda(source: Source) -> Executable:
    """Compile for NVIDIA's GPUs."""
    return _compiled(source, "xla-cuda", client_of("cuda"))


def compile_tpu(source: Source) -> Executable:
    """Compile for TPUs."""
    return _compiled(source, "xla-tpu", client_of("tpu"))


def _compiled(source: Source, target: str, client: pjrt.Client) -> Executable:
    assignment = assigned(source.options, target, lambda _: client)
    program = reached_only(source.program().verify())
    preflight(program.module)
    entry = entry_of(program.module, target)
    program = marked(program, source.options, assignment, entry)
    parameters, results = free(program.module)
    shardy = assignment.partitions == 1 or not only_hlo_shardings(program.module)
    options = assignment.options(free_parameters=parameters, free_results=results, shardy=shardy)
    artifact = program.serialize("current")
    try:
        loaded = call_deep(lambda: assignment.load(artifact, options))
    except pjrt.XlaError as error:
        raise explained(str(error), program.module, target) from None
    return finished(target, loaded, assignment, entry, source.parameter_names())
