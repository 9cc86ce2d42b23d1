"""Serves the model on a free port of loopback, and prints its address: python -m bench.live.serve FOLDER MODEL."""

import importlib
import os
import sys
from pathlib import Path

WINDOW = 8_192
"""Tokens that the model was made for."""


def main(folder: str, model: str) -> None:
    """Serves until its standard input ends."""
    os.nice(10)
    sys.path.insert(0, folder)
    package = importlib.import_module("xllamacpp")
    params = package.CommonParams()
    params.model.path = model
    params.n_ctx = WINDOW
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = os.cpu_count() or 1
    server = package.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    os._exit(0)  # its threads would go on


if __name__ == "__main__":
    main(str(Path(sys.argv[1])), sys.argv[2])
