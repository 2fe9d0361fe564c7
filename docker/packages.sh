#!/usr/bin/env bash
# Installs what the models, the health probe and the building of engines import.
#
# usage: packages.sh gpu|cpu|both TENSORRT_VERSION FOLDER
set -euo pipefail

target="$1" tensorrt="$2" folder="$3"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

wanted=(numpy tokenizers "tritonclient[grpc]")
case "$target" in
  gpu) wanted+=(onnx) ;;
  cpu) wanted+=(openvino) ;;
  both) wanted+=(onnx openvino) ;;
  *)
    echo "TARGET is '$target' and must be gpu, cpu or both." >&2
    exit 2
    ;;
esac

pip=(python3 -m pip install --no-cache-dir --disable-pip-version-check --only-binary=:all: --target "$folder")
"${pip[@]}" --constraint "$here/constraints.txt" "${wanted[@]}"

# The bindings alone: the libraries are those of the image, so that the engine is built by what will run it.
if [[ "$target" != cpu ]]; then
  "${pip[@]}" --no-deps "tensorrt-cu13-bindings==$tensorrt"
  mkdir -p "$folder/tensorrt"
  echo 'from tensorrt_bindings import *
from tensorrt_bindings import __version__' >"$folder/tensorrt/__init__.py"
fi
