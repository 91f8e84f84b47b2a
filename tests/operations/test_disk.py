"""Operations T10: a full disk, one that takes nothing, no file left to open. What was acknowledged is there afterwards,
the rest is refused with 507 or 503, nothing half written is to be seen, and it goes on by itself once there is room.
"""

import ctypes
import os
import random
import resource
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path

import pytest

from replay import audit
from replay.jobs.ingest import take
from replay.jobs.service import Service
from replay.limits import KIB, MIB
from replay.store.database import reading
from replay.store.tables import Document, Job, Report, Upload
from tests.jobs.working import ndjson, reports, rows

from .running import Answer, Client, idle, running, service_of, until, variables, web

SIZE = 8 * MIB
BUSY, FULL = 503, 507


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk, in memory; where none may be mounted the test is skipped, in CI it fails."""
    folder = tmp_path / "disk"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode and os.environ.get("CI"):
        pytest.fail(f"no disk could be mounted: {done.stderr}")
    if done.returncode:
        pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path, left: int = 0) -> Path:
    """A file that takes all the room but so many bytes."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as stream:
        try:
            while (free := shutil.disk_usage(disk).free - left) > 0:
                stream.write(bytes(min(free, 64 * KIB)))
        except OSError:
            assert not left
    return ballast


def noise(size: int, seed: int) -> bytes:
    """Bytes that no compression makes smaller, a game in no format."""
    return random.Random(seed).randbytes(size)


def nothing_half_written(service: Service) -> None:
    """Every file that can be seen holds what its name says."""
    for path in service.blobs.folder.glob("??/*"):
        assert sha256(path.read_bytes()).hexdigest() == path.parent.name + path.name


def acknowledged_is_there(service: Service, sent: list[tuple[Answer, bytes]]) -> None:
    """Each upload that was answered with its page is a row, and its bytes are those that were sent."""
    kept = {row.id: row for row in rows(service, Upload)}
    for answer, data in sent:
        if answer.status == 303:
            assert service.blobs.read(kept[answer.upload].sha256) == data
    nothing_half_written(service)


def test_t10_a_full_disk_refuses_uploads_keeps_the_others_and_goes_on_when_there_is_room(disk: Path) -> None:
    environ = variables(disk / "data", BROKER="none")
    service = service_of(environ)
    reserve = disk / "reserve"
    reserve.write_bytes(bytes(3 * MIB))
    with web(environ) as port, Client(port) as client:
        sent = [(client.send(data), data) for data in (noise(400 * KIB, seed) for seed in range(20))]
        statuses = [answer.status for answer, _ in sent]
        assert set(statuses) == {303, FULL}
        assert statuses[0] == 303
        fill(disk)
        small = [(client.send(data), data) for data in (noise(30 * KIB, seed) for seed in range(100, 110))]
        assert {answer.status for answer, _ in small} == {FULL}
        assert "retry-after" not in small[0][0].headers
        assert (client.get("/healthz").status, client.get("/").status) == (200, 200)
        acknowledged_is_there(service, sent + small)
        assert not list(service.blobs.incoming.iterdir())
        reserve.unlink()
        again = [(client.send(data), data) for _, data in small]
        assert {answer.status for answer, _ in again} == {303}
        acknowledged_is_there(service, sent + again)
    service.engine.dispose()


def acknowledged(client: Client, data: bytes) -> bool:
    """Whether an upload was taken. The server cuts one off that it cannot lay down before the pages see it."""
    try:
        answer = client.send(data)
    except ConnectionError:
        client.connection.close()
        return False
    assert answer.status in (303, BUSY, FULL)
    return answer.status == 303


def test_t10_a_full_disk_for_what_is_on_its_way_in_takes_nothing_and_goes_on_when_there_is_room(
    disk: Path, tmp_path: Path
) -> None:
    environ = variables(tmp_path / "data", BROKER="none")
    service = service_of(environ)
    with web({**environ, "TMPDIR": str(disk)}) as port, Client(port) as client:
        assert acknowledged(client, noise(2 * MIB, 1))
        ballast = fill(disk)
        assert not acknowledged(client, noise(2 * MIB, 2))
        assert acknowledged(client, noise(100 * KIB, 3))
        ballast.unlink()
        assert acknowledged(client, noise(2 * MIB, 2))
    assert sorted(row.size for row in rows(service, Upload)) == [100 * KIB, 2 * MIB, 2 * MIB]
    nothing_half_written(service)
    service.engine.dispose()


def bound_by_permissions() -> None:
    """Let this process, although it may be root's, write only where the permissions say so (CAP_DAC_OVERRIDE)."""
    drop, dac_override = 24, 1
    ctypes.CDLL(None).prctl(drop, dac_override, 0, 0, 0)


def allow(data: Path, writing: bool, *patterns: str) -> None:
    """Let these files and folders be written, or not."""
    for pattern in patterns:
        for path in data.glob(pattern):
            path.chmod(
                (0o755 if path.is_dir() else 0o644) if writing else (0o555 if path.is_dir() else 0o444)
            )


@pytest.mark.parametrize("what", [("blobs", "blobs/*"), ("replay.db*",)], ids=["files", "database"])
def test_t10_a_folder_that_takes_nothing_refuses_uploads_and_shows_what_is_there(
    tmp_path: Path, what: tuple[str, ...]
) -> None:
    environ = variables(tmp_path / "data", BROKER="none")
    service = service_of(environ)
    data = service.settings.data
    with web(environ) as port, Client(port) as client:
        first = client.send(b"first")
    with reading(service.engine), ExitStack() as running:
        if what[0] != "blobs":
            # An open database is written on; a folder of files is looked up each time, and must be there at first.
            allow(data, False, *what)
        port = running.enter_context(web(environ, bound_by_permissions))
        allow(data, False, *what)
        with Client(port) as client:
            refused = [client.send(noise(10 * KIB, seed)) for seed in range(5)]
            assert {answer.status for answer in refused} == {BUSY}
            assert refused[0].headers["retry-after"]
            assert client.get("/").status == client.get(first.location).status == 200
            assert len(rows(service, Upload)) == 1
            allow(data, True, *what)
            until(lambda: acknowledged(client, b"later"), 10)
            acknowledged_is_there(service, [(first, b"first"), (client.send(b"later"), b"later")])
            assert sorted(row.size for row in rows(service, Upload)) == [5, 5]
    service.engine.dispose()


def few_files() -> None:
    """Let this process have no more than so many files open."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))


def test_t10_with_no_file_left_to_open_uploads_are_refused_and_taken_again_later(tmp_path: Path) -> None:
    environ = variables(tmp_path / "data", BROKER="none")
    service = service_of(environ)
    with web(environ, few_files) as port, Client(port) as client:
        sent = [(client.send(b"first"), b"first")]
        with ExitStack() as held:
            # Connections that say nothing take up the files, one more each round.
            for number in range(40):
                idle_one = held.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
                idle_one.sendall(b"G")
                data = noise(30 * KIB, number)
                sent.append((client.send(data), data))
            assert not acknowledged(client, noise(2 * MIB, 99))
        statuses = {answer.status for answer, _ in sent}
        assert statuses == {303, BUSY}
        until(lambda: acknowledged(client, noise(2 * MIB, 99)), 10)
        acknowledged_is_there(service, sent)
        assert not list(service.blobs.incoming.iterdir())
    service.engine.dispose()


@pytest.mark.parametrize("broker", ["", "none"])
@pytest.mark.parametrize("left", [0, 40 * KIB])
def test_t10_a_worker_on_a_full_disk_finishes_its_jobs_when_there_is_room(
    disk: Path, broker: str, left: int
) -> None:
    environ = variables(
        disk / "data", BROKER=broker, LEASE_SECONDS="2", SWEEP_SECONDS="0.3", RING_SECONDS="0.5"
    )
    service = service_of(environ)
    logs = ndjson(20).splitlines()
    taken = [take(service, [log], "game.json") for log in logs]
    data = ndjson(60)
    many = take(service, [data], "day.ndjson")
    ballast = fill(disk, left)
    with running(["worker"], environ) as worker:
        with pytest.raises(AssertionError, match="not so within"):
            until(lambda: idle(service), 5)
        # Without a keeper: the worker itself outlives the full disk.
        assert worker.poll() is None
        ballast.unlink()
        took = until(lambda: idle(service), 40)
    print(f"done {took:.1f} s after there was room")
    assert {job.state for job in rows(service, Job)} == {"done"}
    for one, log in zip(taken, logs, strict=True):
        assert reports(service, one.audit) == [audit(log).to_json()]
    assert reports(service, many.audit) == [audit(line).to_json() for line in data.splitlines()]
    assert len(rows(service, Document)) == len(rows(service, Report)) == 80
    nothing_half_written(service)
    service.engine.dispose()
