"""What is built from the checkout is whole: it runs where there is nothing else of the project."""

import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

import replay

ROOT = Path(__file__).parent.parent

DATA = {"schemas": "replay/_data/schemas", "sample_logs": "replay/_data/sample_logs"}
"""The folders outside the package that a wheel carries, and where."""

ENV = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
"""The environment without what would let the checkout be found."""


def run(*command: object, cwd: Path, code: int = 0) -> str:
    """What a command writes to standard output; it exits with ``code``."""
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=ENV, capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution, and the wheel that is built from it alone."""
    out = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, ROOT, cwd=out)
    return out


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    """The wheel."""
    [path] = built.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a new environment that the wheel was installed into.

    In CI its dependencies are installed with it; elsewhere they are those of this environment, so that no network
    is needed. A folder named in a ``.pth`` file has its own such files ignored, so the checkout stays unseen.
    """
    folder = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "venv", folder, cwd=folder)
    programs = folder / "bin"
    if os.environ.get("CI"):
        run(programs / "python", "-m", "pip", "install", "-q", wheel, cwd=folder)
    else:
        run(programs / "python", "-m", "pip", "install", "-q", "--no-deps", "--no-index", wheel, cwd=folder)
        ours = run(
            programs / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder
        )
        Path(ours.strip(), "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return programs


def of_checkout(folder: str, pattern: str) -> set[str]:
    """The files of a folder of the checkout, as paths in it."""
    return {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob(pattern)}


def test_the_wheel_carries_every_file_that_is_not_python(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert of_checkout("replay", "*.json") | {"replay/py.typed"} <= names
    for folder, place in DATA.items():
        assert {place + name.removeprefix(folder) for name in of_checkout(folder, "*.json")} <= names


def test_the_wheel_carries_the_pages_and_what_they_load(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"replay/_data/{name}" for name in of_checkout("templates", "*.html")} <= names
    assert {
        name for pattern in ("*.css", "*.js", "*.svg") for name in of_checkout("replay", pattern)
    } <= names


def test_the_wheel_carries_no_test(wheel: Path) -> None:
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("tests/")]


def test_the_source_distribution_can_be_tested(built: Path) -> None:
    [path] = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert of_checkout("tests", "*.py") | of_checkout("tests", "*.json") <= names
    assert of_checkout("schemas", "*.json") | of_checkout("sample_logs", "*.json") <= names
    assert of_checkout("templates", "*.html") <= names
    assert {"README.md", "LICENSE", "pyproject.toml", ".ci/run"} <= names


def test_the_installed_package_is_not_the_checkout(installed: Path, tmp_path: Path) -> None:
    place = run(installed / "python", "-c", "import replay; print(replay.__file__)", cwd=tmp_path)
    assert Path(place.strip()).is_relative_to(installed.parent)


@pytest.mark.parametrize(
    ("sample", "code", "words"),
    [
        ("chengdu/clean", 0, "没有问题"),
        ("chengdu/guo-shui", 1, "ACT023"),
        ("mil-sbr/salasasa-2611", 1, "ACT023"),
        ("chengdu/no-such-log", 2, ""),
    ],
)
def test_an_installed_audit_exits_as_it_should(
    installed: Path, tmp_path: Path, sample: str, code: int, words: str
) -> None:
    log = ROOT / "sample_logs" / f"{sample}.json"
    assert words in run(installed / "replay", "audit", log, "--lang", "zh-Hans", cwd=tmp_path, code=code)


def test_an_installed_service_serves_pages(installed: Path, tmp_path: Path) -> None:
    script = (
        "from pathlib import Path; from replay.jobs.service import open_service; from replay.web import create_app;"
        "from replay.settings import Settings; from replay.store.upgrade import upgrade;"
        "service = open_service(Settings(data=Path('data'))); upgrade(service.engine);"
        "client = create_app(service).test_client();"
        "pages = ('/', '/static/site.css', '/catalogue/findings/ACT023', '/catalogue/fans');"
        "print(*(client.get(page, buffered=True).status_code for page in pages))"
    )
    assert run(installed / "python", "-c", script, cwd=tmp_path).split() == ["200"] * 4


def test_an_installed_audit_needs_nothing_but_the_wheel(installed: Path, tmp_path: Path) -> None:
    script = "import replay.resources as r; print(r.folder('sample_logs') / 'chengdu' / 'clean.json')"
    log = Path(run(installed / "python", "-c", script, cwd=tmp_path).strip())
    assert log.is_relative_to(installed.parent)
    run(installed / "replay", "audit", log, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_installed_version_is_the_engine_s(installed: Path, tmp_path: Path) -> None:
    assert replay.ENGINE_VERSION in run(installed / "replay", "--version", cwd=tmp_path)
