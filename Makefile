PYTHON ?= python3
GRPC_PORT ?= 8001
HTTP_PORT ?= 8000
METRICS_PORT ?= 8002
TESTS ?= tests
SERVER_WHEEL := nvidia-pytriton==0.7.0

PIP := -m pip --disable-pip-version-check --quiet
VENV := .venv/.installed
TRAIN_VENV := .venv-train/.installed
SERVER := .server/.installed-$(SERVER_WHEEL)
MANIFESTS := pyproject.toml constraints.txt client/pyproject.toml
PACKAGES := corpora preprocessing serving training export evaluation perf demo docker client/pith tests
MODELS := $(wildcard model_repository/*/1/model.py)

# The demo reads these as they are: whatever a question or path contains never meets the shell.
export PITH_QUERY := $(value QUERY)
export PITH_FILE := $(value FILE)

.DEFAULT_GOAL := help
.PHONY: help setup demo serve test test-training lint bench train model image clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile
	@echo '  QUERY="..." FILE=page.md make demo    asks your own question of your own page'

setup: $(VENV) $(SERVER) ## install everything that serving and the tests need

demo: setup ## compress a page for a question: make demo [QUERY="..." FILE=page.md]
	@.venv/bin/python -m demo

serve: setup ## start the server; GRPC_PORT, HTTP_PORT and METRICS_PORT choose the ports
	@exec .venv/bin/pith-serve --grpc-port $(GRPC_PORT) --http-port $(HTTP_PORT) --metrics-port $(METRICS_PORT)

test: setup ## run the tests; TESTS=tests/client runs some
	.venv/bin/python -m pytest $(TESTS)

test-training: setup $(TRAIN_VENV) ## run the tests of training, labelling and export, which need torch and Ray
	.venv-train/bin/python -m pytest tests/training tests/export tests/evaluation/test_torch_encoder.py

lint: $(VENV) ## style and types
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy $(PACKAGES)
	@for model in $(MODELS); do .venv/bin/mypy "$$model" || exit 1; done

bench: setup ## measure the running code on this machine
	.venv/bin/python -m perf.bench

train: $(TRAIN_VENV) ## train the model on labelled sets: make train DATA="folder ..."
	.venv-train/bin/python -m training --data $(DATA) --work build

model: $(TRAIN_VENV) ## export what `make train` made into the model repository
	.venv-train/bin/python -m export int8 --checkpoint build/model --backbone build/backbone --rows build/rows.npz \
	  --out build/model.onnx --report docs/reports/export.json
	.venv-train/bin/python -m export repository --onnx build/model.onnx --backbone build/backbone \
	  --out model_repository --overwrite

image: ## build the server's container image: make image TARGET=gpu, cpu or both
	docker build --file docker/Dockerfile --build-arg TARGET=$(or $(TARGET),both) \
	  --tag pith-server:0.1.0-$(or $(TARGET),both) .

clean: ## remove what setup installed and what tools left behind
	rm -rf .venv .venv-train .server .server.new .pytest_cache .mypy_cache .ruff_cache .hypothesis build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -rf *.egg-info client/*.egg-info

define CHECK_PYTHON
	@command -v "$(PYTHON)" >/dev/null || { echo 'Python was not found: install Python 3.11, 3.12 or 3.13, or name it with PYTHON=/path/to/python3.'; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || { \
	  echo "$$("$(PYTHON)" --version) is not supported: use Python 3.11, 3.12 or 3.13 (PYTHON=python3.11 make setup)."; exit 1; }
	@"$(PYTHON)" -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo 'This Python lacks the venv module: on Debian and Ubuntu, apt-get install python3-venv.'; exit 1; }
endef

$(VENV): $(MANIFESTS)
	$(CHECK_PYTHON)
	@test -x .venv/bin/python || "$(PYTHON)" -m venv .venv
	@echo 'Installing the Python packages into .venv ...'
	@.venv/bin/python $(PIP) install -c constraints.txt -e '.[serve,eval,perf,dev]' -e ./client
	@touch $@

$(TRAIN_VENV): $(MANIFESTS)
	$(CHECK_PYTHON)
	@test -x .venv-train/bin/python || "$(PYTHON)" -m venv .venv-train
	@echo 'Installing the training packages into .venv-train ...'
	@.venv-train/bin/python $(PIP) install -c constraints.txt -e '.[serve,train,export,eval,label,dev]' -e ./client
	@touch $@

# The wheel is a carrier of binaries only. Its own folder and --no-deps keep its old pins out of .venv.
# Its Python backend was built for numpy 1; serving/stub.py fits it to numpy 2.
$(SERVER): | $(VENV)
	@echo 'Installing tritonserver into .server ...'
	@rm -rf .server .server.new
	@.venv/bin/python $(PIP) install --no-deps --no-compile --target .server.new $(SERVER_WHEEL)
	@.venv/bin/python -m serving.stub .server.new
	@touch '.server.new/$(@F)'
	@mv .server.new .server
