"""Whose tokens a budget is in: the encoder's, or those of any counter that a caller brings."""

from __future__ import annotations

import importlib
import operator
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pith.errors import InvalidInput

CountTokens = Callable[[str], int]

_TIKTOKEN = "tiktoken:"


def load_counter(counter: Any) -> Any:
    """A counter by name becomes the tokenizer that it names; any other is returned as it is.

    A path (``pathlib.Path``, or a str that ends in .json) is a file of the `tokenizers` package,
    ``"tiktoken:o200k_base"`` an encoding of tiktoken. Raises :class:`InvalidInput` when the package is not
    installed, the file cannot be read, or the encoding is unknown or cannot be downloaded.
    """
    if isinstance(counter, str) and counter.startswith(_TIKTOKEN):
        return _tiktoken(counter.removeprefix(_TIKTOKEN))
    if isinstance(counter, Path) or (isinstance(counter, str) and counter.endswith(".json")):
        return _tokenizers(Path(counter))
    return counter


def count_with(counter: Any) -> CountTokens | None:
    """The counter as a checked function, or None for the encoder's tokens."""
    if counter is None:
        return None
    # tiktoken's encode() refuses texts that spell a special token; encode_ordinary() takes any text.
    encode = getattr(counter, "encode_ordinary", None) or getattr(counter, "encode", None)
    # A str has an encode() as well, of another kind.
    if callable(encode) and not isinstance(counter, str):
        return lambda text: _length(encode(text))
    if callable(counter):
        return lambda text: _count(counter(text))
    raise _invalid(
        "counter must be a function from str to int, a tokenizer with encode(), the path of a tokenizers file "
        f"(.json) or 'tiktoken:<encoding>', not {counter!r}"
    )


def _tokenizers(path: Path) -> Any:
    package = _package("tokenizers", f"the counter {str(path)!r}")
    try:
        return package.Tokenizer.from_file(str(path))
    # The package raises bare Exception for a missing and for a malformed file.
    except Exception as error:
        raise _invalid(
            f"the counter {str(path)!r} is no tokenizers file that can be read: {error}"
        ) from error


def _tiktoken(name: str) -> Any:
    package = _package("tiktoken", f"the counter {_TIKTOKEN + name!r}")
    try:
        return package.get_encoding(name)
    except ValueError as error:
        raise _invalid(f"tiktoken has no encoding {name!r}: {error}") from error
    except OSError as error:
        raise _invalid(
            f"tiktoken cannot load {name!r}, which it downloads at first use: {error}. Without a network set "
            "TIKTOKEN_CACHE_DIR to a folder that holds it"
        ) from error


def _package(name: str, needed_by: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise _invalid(f"{needed_by} needs the package {name}: pip install {name}") from error


def _length(encoded: Any) -> int:
    return len(getattr(encoded, "ids", encoded))


def _count(value: Any) -> int:
    try:
        tokens = operator.index(value)
    except TypeError:
        tokens = -1
    if tokens < 0:
        raise _invalid(f"the budget's counter returned {value!r}, where a whole number of tokens is needed")
    return tokens


def _invalid(message: str) -> InvalidInput:
    return InvalidInput(message, code="invalid_counter")
