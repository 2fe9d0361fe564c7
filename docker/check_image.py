"""Fails the build of an image that could not serve: packages that do not import, a TensorRT other than its bindings'.

usage: check_image.py gpu|cpu|both
"""

import ctypes
import importlib
import sys

EVERYWHERE = ("numpy", "tokenizers", "tritonclient.grpc", "preprocessing.request", "serving.probe")
CPU = ("openvino",)
GPU = ("onnx", "tensorrt")


def wanted(target: str) -> tuple[str, ...]:
    """The modules that an image for `target` must be able to import."""
    return EVERYWHERE + (CPU if target != "gpu" else ()) + (GPU if target != "cpu" else ())


def as_version(number: int) -> str:
    """What `getInferLibVersion` of TensorRT 10 and later returns, 110100, as "11.1.0"."""
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


def library_version(major: str) -> str:
    """The version of the TensorRT library that the server will load."""
    return as_version(int(ctypes.CDLL(f"libnvinfer.so.{major}").getInferLibVersion()))


def tensorrt_problem(bindings: str, library: str) -> str | None:
    """A sentence where bindings and library are of different versions: an engine of one is refused by the other."""
    if bindings.startswith(f"{library}."):
        return None
    return (
        f"The image holds TensorRT {library} and the bindings are of {bindings}: build with "
        f"--build-arg TENSORRT= and the release of {library} that the package index has."
    )


def main(target: str) -> int:
    for name in wanted(target):
        importlib.import_module(name)
    if target == "cpu":
        return 0
    bindings = str(importlib.import_module("tensorrt").__version__)
    problem = tensorrt_problem(bindings, library_version(bindings.partition(".")[0]))
    if problem is not None:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
