"""Fits the Python backend's stub to numpy 2 and to the running Python.

The wheel's stub was compiled with a pybind11 from before numpy 2. It reads the size of an array's element
where numpy 1 kept it in a dtype, at byte 32; numpy 2 keeps flags there and the size at byte 40. Under numpy 2
such a stub takes every size for 0, without an error: numeric inputs repeat their first element, outputs are
empty. Five instructions read that field and each holds its place in one byte. `make setup` writes copies of
the stubs with these bytes put right, and models run on the same numpy as everything else.

The stub for Python 3.13 also asks for the wheel's own libpython. That is a bare build, which lacks modules
that a distribution links into its interpreter: the copy asks for the machine's, as the other stubs do.
"""

import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from serving.errors import ServingError

STUB = "triton_python_backend_stub"
SHIPPED, FITTED = "python_backend_stubs", "fitted_stubs"
NUMPY1_PLACE, NUMPY2_PLACE = 32, 40
WHEELS_LIBPYTHON = b"libpython3-419a3a08.13.so.1.0"
LIBPYTHON = b"libpython3.13.so.1.0"


@dataclass(frozen=True)
class Shipped:
    """One stub as the wheel carries it: its SHA-256, and offsets of what is to be changed in its file.

    `places` are the bytes that hold the place of the element size, `library` is where the name of the
    wheel's own libpython starts, if the stub asks for that.
    """

    sha256: str
    places: tuple[int, ...]
    library: int | None = None


STUBS = {
    "3.11": Shipped(
        "a302adf6396501ac139da06f965aea1bf61929c99bf799f6b8797e071cd268f4",
        (0xA4BFC, 0xA4E41, 0xA55B4, 0xA5819, 0xAB24B),
    ),
    "3.12": Shipped(
        "41a7758c6f44520b846e90a5bf8b063f99aee01698c3e32113ce352fe8369921",
        (0xA6C74, 0xA6E90, 0xA7664, 0xA78A9, 0xACA2B),
    ),
    "3.13": Shipped(
        "7b701b4b4bc01ca7af0350eaffa4f2aed92f02b465b3494a265059e4d3ca6cf8",
        (0xA6C74, 0xA6E90, 0xA7664, 0xA78A9, 0xACA2B),
        library=0x15457D,
    ),
}


def fit(content: bytes, shipped: Shipped) -> bytes:
    """The stub's file with its changes made. Raises ServingError for any file but the one described."""
    if hashlib.sha256(content).hexdigest() != shipped.sha256:
        raise ServingError(
            "This tritonserver wheel carries another Python backend than the one whose numpy support is "
            "known: install the wheel that the Makefile names."
        )
    fitted = bytearray(content)
    for place in shipped.places:
        assert fitted[place] == NUMPY1_PLACE
        fitted[place] = NUMPY2_PLACE
    if shipped.library is not None:
        name = slice(shipped.library, shipped.library + len(WHEELS_LIBPYTHON))
        assert fitted[name] == WHEELS_LIBPYTHON
        fitted[name] = LIBPYTHON.ljust(len(WHEELS_LIBPYTHON), b"\0")
    return bytes(fitted)


def fit_all(tree: Path) -> None:
    """Writes the fitted stubs of a wheel's `tritonserver` folder beside the ones that it came with."""
    for version, shipped in STUBS.items():
        content = (tree / SHIPPED / version / STUB).read_bytes()
        # As deep as the original: the stub finds the wheel's libraries relative to its own folder.
        target = tree / FITTED / version / STUB
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(fit(content, shipped))
        target.chmod(0o755)


def main(arguments: Sequence[str]) -> int:
    try:
        fit_all(Path(arguments[0]) / "pytriton" / "tritonserver")
    except ServingError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
