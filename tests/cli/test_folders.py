"""A folder may hold what is no file: it is passed over and never waited for."""

import os
from pathlib import Path

from .running import CLEAN, lines, run


def test_a_pipe_in_a_folder_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "game.json").write_bytes(CLEAN.read_bytes())
    os.mkfifo(tmp_path / "pipe.json")
    assert len(lines(run("audit", tmp_path, "--format", "json"))) == 1
