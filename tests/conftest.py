"""Settings for every test."""

import os

# gRPC's own threads do not survive a fork, and its log of that would hide real warnings.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
