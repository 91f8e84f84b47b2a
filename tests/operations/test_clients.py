"""Operations T8: many clients at once, with the same file and with files of their own; the database tells them apart."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from replay.store.tables import Audit, Job, Upload
from tests.jobs.working import ndjson, rows

from .running import Answer, Client, service_of, upload_all, variables, web

CLIENTS, FILES = 16, 50


def everybody(port: int, logs: list[bytes]) -> list[list[Answer]]:
    """Every client uploads every file, all of them the same one at the same moment; each client's answers."""
    together = Barrier(CLIENTS, timeout=60)

    def send(_: int) -> list[Answer]:
        answers = []
        with Client(port) as client:
            for log in logs:
                together.wait()
                answers.append(client.send(log))
        return answers

    with ThreadPoolExecutor(CLIENTS) as pool:
        return list(pool.map(send, range(CLIENTS)))


def test_t8_the_same_file_of_many_clients_is_one_upload_with_one_id(tmp_path: Path, database: str) -> None:
    environ = variables(tmp_path / "data", DATABASE=database, BROKER="none")
    service = service_of(environ)
    with web(environ) as port:
        answers = everybody(port, ndjson(FILES).splitlines())
    statuses = Counter(answer.status for client in answers for answer in client)
    print(f"slowest {max(answer.seconds for client in answers for answer in client):.3f} s")
    assert statuses == {303: CLIENTS * FILES}
    ids = [{client[number].upload for client in answers} for number in range(FILES)]
    assert [len(found) for found in ids] == [1] * FILES
    fresh = [sum("again" not in client[number].location for client in answers) for number in range(FILES)]
    assert fresh == [1] * FILES
    assert {row.id for row in rows(service, Upload)} == set.union(*ids)
    assert (len(rows(service, Upload)), len(rows(service, Audit)), len(rows(service, Job))) == (FILES,) * 3
    service.engine.dispose()


def test_t8_different_files_of_one_user_are_each_an_upload(tmp_path: Path, database: str) -> None:
    environ = variables(tmp_path / "data", DATABASE=database, BROKER="none")
    service = service_of(environ)
    with web(environ) as port:
        answers = upload_all(port, ndjson(CLIENTS * 10).splitlines(), CLIENTS)
    print(f"slowest {max(answer.seconds for answer in answers):.3f} s")
    assert {answer.status for answer in answers} == {303}
    assert {answer.upload for answer in answers} == {row.id for row in rows(service, Upload)}
    assert len(rows(service, Upload)) == len(rows(service, Audit)) == len(rows(service, Job)) == CLIENTS * 10
    assert {row.owner for row in rows(service, Upload)} == {"local"}
    service.engine.dispose()
