"""Sharded arrays saved in parts, and loaded as they are to lie: on more devices, or fewer."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from safetensors.numpy import load_file

import dxir
from dxir.errors import ArgumentError, ArtifactError, ShardingError
from dxir.runtime import checkpoints
from dxir.sharding import AxisRef

FOUR = dxir.Mesh("m", {"x": 2, "y": 2}, device_ids=[3, 1, 2, 0])
TWO = dxir.Mesh("m", {"x": 2})
RNG = np.random.default_rng(0)
W = RNG.standard_normal((8, 12), np.float32)
SCRIPTS = Path(__file__).parent / "inputs"


def over(mesh: dxir.Mesh, *axes: Any) -> dxir.Sharding:
    return dxir.Sharding(mesh, *axes)


def index(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "index.json").read_text())
    return found


def test_arrays_saved_on_four_devices_are_loaded_on_others(tmp_path: Path) -> None:
    dxir.save_arrays(tmp_path, {"w": dxir.to_device(W, over(FOUR, "x", "y"))})
    assert len(index(tmp_path)["arrays"]["w"]["parts"]) == 4
    for sharding in (
        over(TWO, None, "x"),
        over(TWO, None, None),
        over(FOUR, ("y", "x"), None),
        over(FOUR, None, ("x", "y")),
        over(dxir.Mesh("m", {"x": 8}), AxisRef("x", (2, 4)), AxisRef("x", (1, 2))),
    ):
        loaded = dxir.load_arrays(tmp_path, {"w": sharding})["w"]
        np.testing.assert_array_equal(loaded, W)
        expected = dxir.to_device(W, sharding)
        assert isinstance(loaded, type(expected))
        assert loaded.placement == expected.placement
        for mine, theirs in zip(loaded.shards(), expected.shards(), strict=True):
            np.testing.assert_array_equal(mine, theirs)
    whole = dxir.load_arrays(tmp_path)["w"]
    assert isinstance(whole, np.ndarray)
    np.testing.assert_array_equal(whole, W)


@pytest.mark.parametrize(
    "dtype",
    [np.float64, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.int4, np.complex128, bool],
)
def test_every_kind_of_element_comes_back_as_it_was(dtype: Any, tmp_path: Path) -> None:
    data = (W > 0).astype(dtype) if dtype is not bool else W > 0
    arrays = {"a": dxir.to_device(data, over(FOUR, None, "y")), "n": data, "s": data[0, 0]}
    dxir.save_arrays(tmp_path, {**arrays, "empty": data[:0]})
    loaded = dxir.load_arrays(tmp_path, {"a": over(TWO, "x", None), "n": None, "s": None})
    for name, expected in (("a", data), ("n", data), ("s", data[0, 0])):
        assert loaded[name].dtype == data.dtype
        np.testing.assert_array_equal(np.asarray(loaded[name]), expected)
    assert dxir.load_arrays(tmp_path, {"empty": None})["empty"].shape == (0, 12)


def test_a_part_that_several_devices_have_is_written_once(tmp_path: Path) -> None:
    b = np.arange(12, dtype=np.float32)
    dxir.save_arrays(
        tmp_path,
        {"b": dxir.to_device(b, over(FOUR, None)), "w": dxir.to_device(W, over(FOUR, "y", None))},
    )
    (file,) = tmp_path.glob("*.safetensors")
    found = load_file(file)  # as others read it
    assert sorted(found) == ["b", "w[0:4,0:12]", "w[4:8,0:12]"]
    np.testing.assert_array_equal(found["b"], b)
    np.testing.assert_array_equal(found["w[4:8,0:12]"], W[4:])
    assert sum(a.nbytes for a in found.values()) == b.nbytes + W.nbytes


def test_only_what_is_needed_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dxir.save_arrays(tmp_path, {"w": dxir.to_device(W, over(FOUR, ("x", "y"), None)), "v": W})
    mapped: list[int] = []
    original = np.memmap

    def memmap(*arguments: Any) -> Any:
        mapped.append(arguments[4][0])
        return original(*arguments)

    monkeypatch.setattr(np, "memmap", memmap)
    saved = checkpoints.read_index(tmp_path)["w"]
    with checkpoints.Reader(tmp_path) as reader:
        found = reader.read(saved, (slice(3, 5), slice(0, 2)))
    np.testing.assert_array_equal(found, W[3:5, :2])
    assert mapped == [W.nbytes // 4] * 2


def test_what_was_saved_stays_until_all_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dxir.save_arrays(tmp_path, {"w": W})
    before = sorted(os.listdir(tmp_path))
    replace = os.replace

    def failing(source: Any, target: Any) -> None:
        if str(target).endswith("index.json"):
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(ArtifactError, match="the index cannot be written: No space left"):
        dxir.save_arrays(tmp_path, {"w": W + 1})
    np.testing.assert_array_equal(dxir.load_arrays(tmp_path)["w"], W)
    assert sorted(os.listdir(tmp_path)) == before
    monkeypatch.undo()
    (tmp_path / f"{'0' * 16}-00001.safetensors").write_text("of a save that was killed")
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "other.safetensors").write_text("mine")
    dxir.save_arrays(tmp_path, {"w": W + 2})
    np.testing.assert_array_equal(dxir.load_arrays(tmp_path)["w"], W + 2)
    after = sorted(os.listdir(tmp_path))  # what the saves before left is gone, and no more
    assert len(after) == len(before) + 2
    assert {"notes.txt", "other.safetensors"} < set(after)


def test_what_is_not_saved_arrays_is_told(tmp_path: Path) -> None:
    def problem(folder: Path = tmp_path, **placements: Any) -> str:
        with pytest.raises(ArtifactError) as caught:
            dxir.load_arrays(folder, placements or None)
        return str(caught.value)

    assert "it is not there" in problem(tmp_path / "nowhere")
    assert "it has no index.json" in problem()
    (tmp_path / "index.json").write_text('{"weight_map": {}}')
    assert "of the format None, and not 'dxir-arrays 1'" in problem()
    (tmp_path / "index.json").write_text('{"format"')
    assert "index.json is damaged" in problem()
    with pytest.raises(ArtifactError, match=r"an index.json that dxir.save_arrays did not write"):
        dxir.save_arrays(tmp_path, {"w": W})
    (tmp_path / "index.json").write_text("")  # what a full disk may leave
    dxir.save_arrays(tmp_path, {"w": W, "b": W[0]})
    assert "no array 'v' was saved there" in problem(v=None)
    assert "there are b, w" in problem(v=None)
    (file,) = tmp_path.glob("*.safetensors")
    data = file.read_bytes()
    file.write_bytes(data[:-40])
    assert "not within the file" in problem()
    file.write_bytes(data[:5])
    assert "the archive cannot be read" in problem()
    file.write_bytes(b"\0" * len(data))
    assert "the archive cannot be read" in problem()
    file.unlink()
    assert "No such file" in problem()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"shape": [8, 13]}, "its parts do not make up the whole"),
        ({"shape": [-8, 12]}, "are no sizes"),
        ({"dtype": "f31"}, "f31"),
        ({"dtype": "f64"}, "is f32[8, 12] in this file, and f64[8, 12] in index.json"),
        ({"file": "../w.safetensors"}, "is no file of this folder"),
        ({"start": [1, 0]}, "a part lies outside of it"),
        ({"name": "v"}, "the part 'v' of the array 'w' is not in this file"),
        ({"parts": None}, "cannot be"),
    ],
)
def test_an_index_that_was_changed_is_refused(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    dxir.save_arrays(tmp_path, {"w": W})
    found = index(tmp_path)
    told = found["arrays"]["w"]
    for name, value in change.items():
        (told if name in told else told["parts"][0])[name] = value
    (tmp_path / "index.json").write_text(json.dumps(found))
    with pytest.raises(ArtifactError) as caught:
        dxir.load_arrays(tmp_path)
    assert message in str(caught.value)


def test_parts_that_overlap_are_refused(tmp_path: Path) -> None:
    dxir.save_arrays(tmp_path, {"w": dxir.to_device(W, over(TWO, "x", None))})
    whole = index(tmp_path)
    for start in ([0, 0], [2, 0]):  # as many elements as the whole has
        found = json.loads(json.dumps(whole))
        found["arrays"]["w"]["parts"][1]["start"] = start
        (tmp_path / "index.json").write_text(json.dumps(found))
        with pytest.raises(ArtifactError, match="its parts overlap"):
            dxir.load_arrays(tmp_path)


def test_two_do_not_save_to_one_folder_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = checkpoints.write_safetensors
    refused: list[str] = []

    def interrupted(path: str, arrays: Any) -> None:
        write(path, arrays)
        with pytest.raises(ArtifactError) as caught:
            dxir.save_arrays(tmp_path, {"w": W + 1})
        refused.append(str(caught.value))

    monkeypatch.setattr(checkpoints, "write_safetensors", interrupted)
    dxir.save_arrays(tmp_path, {"w": W})
    assert "another program is saving arrays to this folder" in refused[0]
    np.testing.assert_array_equal(dxir.load_arrays(tmp_path)["w"], W)
    monkeypatch.undo()
    dxir.save_arrays(tmp_path, {"w": W + 2})
    np.testing.assert_array_equal(dxir.load_arrays(tmp_path)["w"], W + 2)


def test_what_is_replaced_while_it_is_read_is_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dxir.save_arrays(tmp_path, {"w": W})
    read = checkpoints.read_index

    def outpaced(folder: Path) -> Any:
        found = read(folder)
        monkeypatch.undo()
        dxir.save_arrays(folder, {"w": W + 1})
        return found

    monkeypatch.setattr(checkpoints, "read_index", outpaced)
    np.testing.assert_array_equal(dxir.load_arrays(tmp_path)["w"], W + 1)


def test_what_cannot_be_saved_or_placed_is_refused_by_name(tmp_path: Path) -> None:
    for arrays, message in (
        ({"w": [1.0]}, "'w' is a list, and no array"),
        ({"": W}, "cannot be saved as ''"),
        ({"__metadata__": W}, "cannot be saved as '__metadata__'"),
        ({"w": W, 1: W}, "cannot be saved as 1"),
        ([W], "a list has no arrays by name"),
    ):
        with pytest.raises(ArgumentError, match=message):
            dxir.save_arrays(tmp_path, arrays)  # type: ignore[arg-type]
    for folder in ("a\0b", "", 3):
        with pytest.raises(ArgumentError, match="is no folder"):
            dxir.save_arrays(folder, {"w": W})  # type: ignore[arg-type]
    gone = dxir.to_device(W)
    gone.delete()
    with pytest.raises(ArgumentError, match="the array 'w' was deleted"):
        dxir.save_arrays(tmp_path, {"w": gone})
    dxir.save_arrays(tmp_path, {"w": W[:7]})
    undivided = r"of the array 'w', f32\[7, 12\] cannot be divided into 2 parts"
    with pytest.raises(ShardingError, match=undivided):
        dxir.load_arrays(tmp_path, {"w": over(TWO, "x", None)})
    for placements in (["w"], over(TWO, "x", None)):
        with pytest.raises(ArgumentError, match="does not say which array is to lie where"):
            dxir.load_arrays(tmp_path, placements)  # type: ignore[arg-type]
    (tmp_path / "file").write_text("")
    with pytest.raises(ArtifactError, match="the folder cannot be made"):
        dxir.save_arrays(tmp_path / "file" / "sub", {"w": W})


def test_names_that_look_like_parts_stay_apart(tmp_path: Path) -> None:
    arrays = {"w": dxir.to_device(W, over(TWO, "x", None)), "w[0:4,0:12]": W * 2}
    dxir.save_arrays(tmp_path, arrays)
    loaded = dxir.load_arrays(tmp_path)
    np.testing.assert_array_equal(loaded["w"], W)
    np.testing.assert_array_equal(loaded["w[0:4,0:12]"], W * 2)


@pytest.mark.slow
def test_four_processes_save_what_two_and_one_load(tmp_path: Path) -> None:
    launch = [sys.executable, "-P", "-m", "dxir.tools.launch"]
    script = str(SCRIPTS / "saving.py")
    for count, what in ((4, "save"), (2, "load"), (1, "load"), (2, "differ")):
        done = subprocess.run(
            [*launch, "-n", str(count), script, what, str(tmp_path)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        if what == "differ":
            assert done.returncode == 1
            assert "the processes differ at saving arrays: process 0: 1 (w: f32[8, 12])" in (
                done.stderr
            )
        else:
            assert done.returncode == 0, done.stderr
    files = sorted(p.name[16:] for p in tmp_path.glob("*.safetensors"))
    assert files == [f"-0000{rank}.safetensors" for rank in range(4)]
    np.testing.assert_array_equal(
        dxir.load_arrays(tmp_path)["w"], np.arange(96, dtype=np.float32).reshape(8, 12)
    )
