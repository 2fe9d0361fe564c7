#!/usr/bin/env bash
# Lays out the model repository, builds the TensorRT engine where a GPU needs one, and becomes tritonserver.
#
#   PITH_TARGET        gpu or cpu; without it the GPU where there is one and the image can use it
#   PITH_EXIT_TIMEOUT  seconds that requests in flight have to finish after SIGTERM (65)
#   PITH_LOG_FORMAT    ISO8601 or default (ISO8601)
#
# Arguments are passed on to tritonserver.
set -euo pipefail

home="${PITH_HOME:-/opt/pith}"
models="${PITH_MODELS:-/models}"
built_for="${PITH_BUILT_FOR:-both}"

fail() {
  echo "pith: $1" >&2
  exit 2
}

has_gpu() {
  nvidia-smi -L 2>/dev/null | grep -q '^GPU '
}

choose_target() {
  case "${PITH_TARGET:-}" in
    gpu | cpu) echo "$PITH_TARGET" ;;
    "") if [[ "$built_for" != cpu ]] && has_gpu; then echo gpu; else echo cpu; fi ;;
    *) fail "PITH_TARGET is '$PITH_TARGET' and must be gpu or cpu." ;;
  esac
}

check_target() {
  if [[ "$target" == gpu && "$built_for" == cpu ]]; then
    fail "This image was built for the CPU and PITH_TARGET is gpu: build it with --build-arg TARGET=gpu."
  fi
  if [[ "$target" == gpu ]] && ! has_gpu; then
    fail "PITH_TARGET is gpu and no GPU is seen: start the container with --gpus all and the NVIDIA Container Toolkit."
  fi
  if [[ "$target" == cpu && "$built_for" == gpu ]]; then
    fail "This image was built for the GPU and runs on the CPU: no GPU is seen or PITH_TARGET is cpu; give it a GPU, or build with --build-arg TARGET=cpu."
  fi
}

# The image's files stay where they are, read-only; links to them leave room for the engine beside them. Links of an
# older image in a kept volume are replaced, and removed where nothing is behind them any more.
lay_out_models() {
  if ! [[ -d "$models" && -w "$models" ]]; then
    fail "$models cannot be written by user $(id -u): mount a volume there that it owns."
  fi
  cp --recursive --symbolic-link --force --remove-destination "$home/model_repository/." "$models/"
  find "$models" -xtype l -delete
}

# In the background, because a shell that waits for a foreground program does not hear SIGTERM.
build_engine() {
  local encoder="$models/encoder/1" builder
  python3 -m export engine --onnx "$encoder/model.onnx" --out "$encoder/model.plan" \
    --profiles "$home/profiles.json" &
  builder=$!
  trap 'kill -TERM "$builder" 2>/dev/null || true; wait "$builder" || true; exit 143' TERM INT
  wait "$builder" || fail "The TensorRT engine could not be built; the lines above say why."
  trap - TERM INT
}

target="$(choose_target)"
check_target
lay_out_models

flags=()
if [[ "$target" == gpu ]]; then
  build_engine
else
  flags+=(--model-config-name=cpu --allow-gpu-metrics=false)
fi

# A connection ends after five minutes, once what it carries is done (at most the ten minutes that a request may wait on
# a CPU): clients then look up again which servers exist.
exec tritonserver \
  --model-repository="$models" \
  --model-control-mode=none \
  --exit-on-error=true \
  --strict-readiness=true \
  --exit-timeout-secs="${PITH_EXIT_TIMEOUT:-65}" \
  --http-port=8000 \
  --grpc-port=8001 \
  --grpc-max-connection-age=300000 \
  --grpc-max-connection-age-grace=600000 \
  --allow-metrics=true \
  --metrics-port=8002 \
  --metrics-config=summary_latencies=true \
  --metrics-config=histogram_latencies=true \
  --log-format="${PITH_LOG_FORMAT:-ISO8601}" \
  "${flags[@]}" \
  "$@"
