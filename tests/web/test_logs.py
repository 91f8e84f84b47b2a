"""Operations §7: an upload can be followed by its request id, from the page to the work that it caused."""

from typing import Any

from .asking import Browser, sample

LINE = {"time", "level", "process", "pid", "logger", "event"}


def test_the_request_id_of_an_upload_stands_in_the_lines_of_its_jobs(
    browser: Browser, lines: list[dict[str, Any]]
) -> None:
    browser.headers["X-Request-Id"] = "from-outside-42"
    browser.upload(sample("chengdu/guo-shui"), "Wang-Fang.json")
    (asked,) = [line for line in lines if line["event"] == "request"]
    jobs = [line for line in lines if line["event"] == "job"]
    assert asked["request_id"] == "from-outside-42"
    assert [(job["kind"], job["outcome"], job["attempts"]) for job in jobs] == [
        ("split", "done", 1),
        ("audit", "done", 1),
    ]
    assert {job["request_id"] for job in jobs} == {"from-outside-42"}
    assert all(line.keys() > LINE for line in lines)
    assert "Wang-Fang" not in str(lines)
