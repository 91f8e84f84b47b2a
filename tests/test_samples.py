"""Each sample log shows what it is there to show, and its report is the one that was reviewed."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from replay import audit
from replay.text import report_text
from replay.wording import languages

from .goldens import FOLDER, golden_of, report_of, samples

SHOWS: Mapping[str, set[str]] = {
    "chengdu/clean": set(),
    "chengdu/guo-shui": {"ACT023"},
    "chengdu/forced-hu-missed": {"HND001"},
    "chengdu/void-order": {"ACT012"},
    "chengdu/false-win": {"ACT020"},
    "chengdu/misclaimed-settlement": {"SET001", "SET002", "SET005"},
    "chengdu/liuju-hua-zhu-da-jiao": set(),
    "mil-sbr/salasasa-2611": {"ACT023", "IMP004"},
    "zhaotong/three-suits": {"ACT021"},
    "base6/replacement-from-the-head": {"ACT016"},
    "base6/flight": set(),
    "qq-single/two-hu-end-the-hand": set(),
    "qq/coins": set(),
    "qq/flight": set(),
    "qq-dingque/last-four-free": set(),
    "qq-dingque/zi-mo-add-base": set(),
    "xueliu/hu-again": set(),
    "zimo/xiang-gong": set(),
    "tingyong/wildcards-and-piao": set(),
    "chiyu/settled-liuju": set(),
    "novikov-sbr/void-to-the-pot": set(),
}
"""The codes that each sample's report has, beside what an importer says of every record."""

ALWAYS = {"IMP001", "IMP002"}


def slug(path: Path) -> str:
    """A sample's name: its rule set and file."""
    return str(path.relative_to(FOLDER).with_suffix(""))


@pytest.mark.parametrize("sample", samples(), ids=slug)
def test_a_sample_has_the_report_that_was_reviewed(sample: Path) -> None:
    assert golden_of(sample).read_text(encoding="utf-8") == report_of(sample)


@pytest.mark.parametrize("sample", samples(), ids=slug)
def test_a_sample_shows_what_its_name_says(sample: Path) -> None:
    codes = {finding.code for finding in audit(sample.read_bytes()).all_findings}
    assert codes - ALWAYS == SHOWS[slug(sample)]


def test_the_liuju_sample_settles_all_three_items() -> None:
    report = json.loads((FOLDER / "chengdu" / "liuju-hua-zhu-da-jiao.report.json").read_bytes())
    kinds = {entry["kind"] for entry in report["hands"][0]["ledger"]}
    assert {"hua_zhu", "da_jiao", "refund"} <= kinds


def test_every_sample_is_named_and_every_golden_has_its_sample() -> None:
    assert {slug(sample) for sample in samples()} == SHOWS.keys()
    assert set(FOLDER.glob("*/*.report.json")) == {golden_of(sample) for sample in samples()}


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("sample", samples(), ids=slug)
def test_a_sample_s_report_reads_in_every_language(sample: Path, lang: str) -> None:
    text = report_text(audit(sample.read_bytes()).to_dict(), lang, json.loads(sample.read_bytes()))
    assert all(finding in text for finding in SHOWS[slug(sample)])
