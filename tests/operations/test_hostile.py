"""Operations T15: files made to do harm. Each ends in the finding it is to end in, soon and in little memory, and
nothing of it is to be found outside the store.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest

from replay.jobs.service import Service, open_service
from replay.limits import MIB
from replay.settings import Settings
from replay.store.tables import Audit, Document, Job
from replay.web import create_app
from tests.jobs.working import reports, rows, work
from tests.tables import make_tables
from tests.web.asking import Browser

from .hostile import CLEAN, SOUND, Hostile, encodings, gzips, names, numbers, shapes
from .hostile_zips import zips

CORPUS = [*encodings(), *numbers(), *shapes(), *gzips(), *names(), *zips()]
SECONDS, MEMORY = 2.0, 200 * MIB
"""Of processor time and of memory, as T15 states them for each file."""

WORST = (
    "a million digits",
    "100000 objects deep",
    "a million numbers",
    "a document of 60 MiB",
    "gzip bomb of blank lines, 1 GiB",
    "gzip bomb of one line, 1 GiB",
    "zip bomb of 15 files, 100 MiB each",
)


def put_up(folder: Path) -> Browser:
    """A service that takes as much as it is sent, and a browser before it."""
    settings = Settings(
        data=folder / "data", broker="none", ring_seconds=0.001, uploads_an_hour=0, quota_bytes=0
    )
    service = open_service(settings, node="one")
    make_tables(service.engine)
    return Browser(create_app(service).test_client(), service)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Browser]]:
    """One service for all files, in a folder that also holds what is on its way in."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "coming").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(folder / "coming"))
        browser = put_up(folder)
        browser.upload(SOUND)
        yield folder, browser
        browser.service.engine.dispose()


def outcome(service: Service, upload: str) -> list[str]:
    """What each document of an upload came to, in order: its codes, or `CLEAN`."""
    (kept,) = rows(service, Audit, upload_id=upload)
    assert {job.state for job in rows(service, Job, upload_id=upload)} == {"done"}
    found = [json.loads(report) for report in reports(service, kept.id)]
    assert len(found) == len(rows(service, Document, upload_id=upload))
    for report in found:
        if report["verdict"] != CLEAN:
            assert report["verdict"] == "unreplayable", report
    said = [[finding["code"] for finding in report["findings"]] for report in found]
    return [" ".join(dict.fromkeys(codes)) or CLEAN for codes in said]


def test_t15_the_corpus_is_large_and_no_file_stands_in_it_twice() -> None:
    assert len(CORPUS) >= 80
    assert len({one.title for one in CORPUS}) == len(CORPUS)
    assert {one.title for one in CORPUS} >= set(WORST)
    print(f"{len(CORPUS)} files")


@pytest.mark.parametrize("hostile", CORPUS, ids=lambda one: one.title)
def test_t15_each_file_ends_in_its_finding_and_its_page(
    place: tuple[Path, Browser], hostile: Hostile
) -> None:
    folder, browser = place
    data = hostile.make()
    began = time.process_time()
    answer = browser.post("/uploads", file=(BytesIO(data), hostile.name))
    work(browser.service)
    took = time.process_time() - began
    assert answer.status_code == 303
    upload = answer.location.partition("?")[0].rpartition("/")[2]
    assert tuple(outcome(browser.service, upload)) == hostile.expected
    assert took <= SECONDS
    page = browser.get(answer.location)
    assert page.status_code == 200
    assert "<script>alert" not in page.text
    nothing_outside(folder, browser.service)


def nothing_outside(folder: Path, service: Service) -> None:
    """There is nothing beside the database, the key and the files by their digest; no name has become a path."""
    data = service.settings.data
    assert {path.name for path in folder.iterdir()} == {"data", "coming"}
    assert not list((folder / "coming").iterdir())
    known = {"replay.db", "replay.db-wal", "replay.db-shm", "secret_key", "blobs"}
    assert {path.name for path in data.iterdir()} <= known
    assert {path.name for path in service.blobs.folder.iterdir() if len(path.name) != 2} == {"incoming"}
    assert not list(service.blobs.incoming.iterdir())
    for near in (Path.cwd(), Path.cwd().parent, Path("/"), Path("/tmp"), folder.parent):
        assert not list(near.glob("*hostile-escape*"))


def test_t15_every_file_of_the_store_is_whole(place: tuple[Path, Browser]) -> None:
    _, browser = place
    for path in browser.service.blobs.folder.glob("??/*"):
        assert sha256(path.read_bytes()).hexdigest() == path.parent.name + path.name


@pytest.mark.parametrize("title", WORST)
def test_t15_the_worst_take_little_memory(tmp_path: Path, title: str) -> None:
    data = next(one for one in CORPUS if one.title == title)
    (tmp_path / "file").write_bytes(data.make())
    words = [sys.executable, "-m", __name__, str(tmp_path), data.name]
    done = subprocess.run(words, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True)
    grown = int(done.stdout)
    print(f"{title}: {grown // MIB} MiB")
    assert grown <= MEMORY
    if title == "a document of 60 MiB":
        assert grown > 60 * MIB, "it is held whole: the measure is at fault"


def memory(which: str) -> int:
    """How many bytes this process has in memory: VmRSS now, VmHWM at most since it was last asked to forget.

    Not by ``getrusage``: its peak is that of the process which started this one, where that was larger.
    """
    (line,) = (one for one in Path("/proc/self/status").read_text().splitlines() if one.startswith(which))
    return int(line.split()[1]) * 1024


def measure(folder: Path, name: str) -> int:
    """How many bytes this process grows by while it takes a file in and works on it."""
    browser = put_up(folder)
    browser.upload(SOUND)
    Path("/proc/self/clear_refs").write_text("5")
    before = memory("VmRSS")
    with (folder / "file").open("rb") as stream:
        assert browser.post("/uploads", file=(stream, name)).status_code == 303
    work(browser.service)
    return memory("VmHWM") - before


if __name__ == "__main__":
    print(measure(Path(sys.argv[1]), sys.argv[2]))
