"""What parameters start from, how many there are, and files of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import dxir
from dxir import nn, random
from dxir.nn import initializers

KEY = random.key(4)
SHAPE = (60, 40)


@pytest.mark.parametrize(
    ("initializer", "deviation"),
    [
        (initializers.glorot_uniform, np.sqrt(2 / 100)),
        (initializers.glorot_normal, np.sqrt(2 / 100)),
        (initializers.he_uniform, np.sqrt(2 / 60)),
        (initializers.he_normal, np.sqrt(2 / 60)),
        (initializers.lecun_uniform, np.sqrt(1 / 60)),
        (initializers.lecun_normal, np.sqrt(1 / 60)),
        (initializers.variance_scaling(3.0, "fan_out", "normal"), np.sqrt(3 / 40)),
        (initializers.normal(0.3), 0.3),
        (initializers.truncated_normal(0.3), 0.3 * 0.8796),
        (initializers.uniform(0.3), 0.3 / np.sqrt(3)),
    ],
)
def test_initializers_have_the_deviation_they_are_for(
    initializer: Callable[..., Any], deviation: float
) -> None:
    found = np.asarray(initializer(KEY, SHAPE, "f32"))
    assert found.shape == SHAPE
    assert abs(found.std() / deviation - 1) < 0.05
    assert abs(found.mean()) < 4 * deviation / np.sqrt(found.size)


def test_kernels_of_convolutions_count_their_window() -> None:
    params = nn.init_conv(KEY, 16, 32, (3, 5))
    assert params["kernel"].shape == (32, 16, 3, 5)
    assert abs(np.asarray(params["kernel"]).std() / np.sqrt(2 / (16 * 15)) - 1) < 0.05
    query = np.asarray(nn.init_attention(KEY, 64, 4)["query"]["kernel"])
    assert abs(query.std() / np.sqrt(2 / 128) - 1) < 0.05


@pytest.mark.parametrize("shape", [(6, 4), (4, 6), (5, 5), (2, 3, 4), (3, 1)])
def test_orthogonal_matrices_are_orthonormal(shape: tuple[int, ...]) -> None:
    found = np.asarray(initializers.orthogonal(2.0)(KEY, shape, "f64")).reshape(-1, shape[-1])
    product = found.T @ found if found.shape[0] >= found.shape[1] else found @ found.T
    np.testing.assert_allclose(product, 4 * np.eye(min(found.shape)), atol=1e-10)


def test_constants_are_what_they_say() -> None:
    for initializer, value in (
        (initializers.zeros, 0),
        (initializers.ones, 1),
        (initializers.constant(2.5), 2.5),
    ):
        found = initializer(None, (2, 3), "bf16")
        assert found.dtype == dxir.bf16
        assert (np.asarray(found) == value).all()


def test_an_initializer_may_be_any_function_and_is_checked() -> None:
    params = nn.init_linear(KEY, 3, 2, kernel=initializers.constant(0.5))
    assert (np.asarray(params["kernel"]) == 0.5).all()
    with pytest.raises(dxir.DxirError, match=r"where f32\[3, 2\] is needed"):
        nn.init_linear(KEY, 3, 2, kernel=lambda key, shape, dtype: dxir.Array(np.zeros(2)))
    with pytest.raises(dxir.DxirError, match="kernels of two axes or more"):
        initializers.he_normal(KEY, (3,), "f32")
    with pytest.raises(dxir.DxirError, match="two axes or more"):
        initializers.orthogonal()(KEY, (3,), "f32")
    with pytest.raises(dxir.DxirError, match="scale is 0"):
        initializers.variance_scaling(0, "fan_in", "normal")
    with pytest.raises(dxir.DxirError, match="mode"):
        initializers.variance_scaling(1, "fan", "normal")


def test_parameters_are_the_same_when_their_making_is_compiled() -> None:
    def made(key: Any) -> Any:
        return nn.init_transformer_block(key, 8, 2)

    eager, compiled = made(KEY), dxir.jit(made)(KEY)
    assert dxir.tree.paths(eager) == dxir.tree.paths(compiled)
    for a, b in zip(dxir.tree.leaves(eager), dxir.tree.leaves(compiled), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


class Model(NamedTuple):
    """Parameters in all kinds of containers."""

    layers: Any
    step: Any
    nothing: Any


def model() -> Model:
    keys = random.split(KEY)
    layers = [
        nn.init_linear(keys[0], 3, 2),
        {"deep": nn.init_embedding(keys[1], 4, 2, dtype="bf16")},
    ]
    return Model(layers, dxir.Array(np.int32(7)), None)


def test_parameters_are_counted_and_listed() -> None:
    assert nn.count_parameters(model()) == 6 + 2 + 8 + 1
    assert nn.count_parameters({}) == 0
    assert nn.count_parameters({"a": 3, "b": np.zeros((2, 3))}) == 6
    assert nn.summary(model()).splitlines() == [
        "parameter            type        numbers",
        "layers.0.bias        f32[2]            2",
        "layers.0.kernel      f32[3, 2]         6",
        "layers.1.deep.table  bf16[4, 2]        8",
        "step                 i32[]             1",
        "in all                                17",
    ]


def test_parameters_come_back_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    nn.save(path, model())
    found = nn.load(path, like=model())
    assert isinstance(found, Model)
    assert dxir.tree.paths(found) == dxir.tree.paths(model())
    for a, b in zip(dxir.tree.leaves(found), dxir.tree.leaves(model()), strict=True):
        assert a.type == b.type
        assert np.array_equal(a, b)
    nested = nn.load(path)
    assert set(nested) == {"layers", "step"}
    assert np.array_equal(nested["layers"]["0"]["kernel"], model().layers[0]["kernel"])


def test_other_programs_read_the_file(tmp_path: Path) -> None:
    safetensors = pytest.importorskip("safetensors.numpy")
    path = tmp_path / "model.safetensors"
    nn.save(str(path), {"a": {"b": np.arange(6, dtype=np.float32).reshape(2, 3)}, "n": 1.5})
    found = safetensors.load_file(path)
    assert np.array_equal(found["a.b"], np.arange(6).reshape(2, 3))
    assert found["n"] == 1.5


def test_a_state_of_training_is_kept_as_any_container(tmp_path: Path) -> None:
    params = nn.init_linear(KEY, 3, 2)
    state = nn.init_adam(params)
    nn.save(tmp_path / "state.safetensors", (params, state))
    found = nn.load(tmp_path / "state.safetensors", like=(params, state))
    assert isinstance(found[1], nn.AdamState)


def test_files_of_other_parameters_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    params = nn.init_linear(KEY, 3, 2)
    nn.save(path, params)
    with pytest.raises(dxir.DxirError, match="has 'bias' which `like` has not"):
        nn.load(path, like={"kernel": params["kernel"]})
    with pytest.raises(dxir.DxirError, match="misses 'scale'"):
        nn.load(path, like={**params, "scale": params["bias"]})
    with pytest.raises(
        dxir.DxirError, match=r"'kernel' is f32\[3, 2\], but `like` has f32\[4, 2\]"
    ):
        nn.load(path, like=nn.init_linear(KEY, 4, 2))
    with pytest.raises(dxir.DxirError, match=r"does not end in \.safetensors"):
        nn.save(tmp_path / "model.npz", params)
    with pytest.raises(dxir.DxirError, match=r"'a\.b' cannot be part of a name"):
        nn.save(path, {"a.b": params["bias"]})
    with pytest.raises(dxir.DxirError, match="'name' is str, not an array"):
        nn.save(path, {"name": "text"})
    with pytest.raises(dxir.DxirError):
        nn.load(tmp_path / "none.safetensors")
    (tmp_path / "bad.safetensors").write_bytes(b"\xff" * 30)
    with pytest.raises(dxir.DxirError):
        nn.load(tmp_path / "bad.safetensors")
    assert np.array_equal(nn.load(path)["kernel"], params["kernel"])
