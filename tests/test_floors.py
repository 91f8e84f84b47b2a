"""The floors of replay/: imports run downward only, and what may be touched on which floor.

0 the ground (tiles, what a finding is, limits, the folders) · 1 reading (schemas, bytes to documents, rule sets) ·
2 a hand's shapes, fans and waits · 3 the table, what each seat may do, the ledger · 4 judging and settling ·
5 conducting an audit, and all that surrounds it: reports, importers, fairness, words, counters · 6 the public names ·
9 the command line.

Modules of one floor may import each other, never in a circle. Everything is read from the source, nothing is run.
"""

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path

import pytest

from replay.fans import EXTRAS, SHAPES
from replay.moves import MOVES
from replay.profile import profile_ids
from replay.schemas import schema
from replay.sense import value_schemas
from replay.settlement import GANG_SHARES

ROOT = Path(__file__).parent.parent

FLOORS = {
    0: "tiles findings catalogue resources version limits",
    1: "log schemas faults formats zips containers sense profile",
    2: "shapes wilds fans alike prices waits",
    3: "state events ledger rights moves opening leaving quiet",
    4: "watch checks settlement liu_ju flight dealing claims undecided sets grounds reasons items",
    5: "hands measure explain report semantics fairness importers intake sitting steps quote house wording text examples",
    6: "replay",
    7: "settings store jobs",
    8: "web",
    9: "cli __main__",
}
"""The modules of each floor; a package stands for all its modules, ``replay`` for its public names alone."""

FLOOR_OF = {name: floor for floor, names in FLOORS.items() for name in names.split()}

IMPURE = ("time", "random", "os", "secrets", "socket", "urllib", "flask", "celery", "sqlmodel")
"""What makes an audit depend on more than its log: clock, chance, environment, network, other machinery."""

SEEDED = "random.Random"

OPENERS = (
    "pathlib.Path",
    "os",
    "io.open",
    "io.FileIO",
    "gzip.open",
    "codecs",
    "shutil",
    "tempfile",
    "glob",
    "mmap",
)
TOUCHES = {"read_text", "read_bytes", "write_text", "write_bytes", "iterdir", "glob", "rglob"}
READERS = {"replay.resources", "replay.profile", "replay.schemas"}
"""The modules below floor 5 that may read files: the package's own."""

LONGEST_MODULE = 400
LONGEST_FUNCTION = 60

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def module_name(path: Path) -> str:
    """The dotted name of a file of the package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


PATHS = {
    module_name(path): path
    for path in sorted((ROOT / "replay").rglob("*.py"))
    if path.parent.name != "versions"  # a migration is a record of what was done
}
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in PATHS.items()}


def room(module: str) -> str:
    """The module or package right under ``replay`` that a module belongs to; the package itself is its own."""
    return module.split(".")[1] if "." in module else module


def floor(module: str) -> int:
    """The floor a module stands on; one that is not given its floor stands above all others."""
    return FLOOR_OF.get(room(module), len(PATHS))


def imported(module: str) -> Iterator[str]:
    """The full names that a module imports, wherever in it: ``from a.b import c`` is ``a.b.c``."""
    package = module if PATHS[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package)
            yield from (f"{source}.{alias.name}" for alias in node.names)


def is_of(name: str, module: str) -> bool:
    """Whether a full name is that module or lies in it."""
    return name == module or name.startswith(f"{module}.")


def imported_modules(module: str) -> set[str]:
    """The modules of the package that a module imports: the longest that each name lies in."""
    within = [[other for other in PATHS if is_of(name, other)] for name in imported(module)]
    return {max(others, key=len) for others in within if others}


def definitions(body: list[ast.stmt]) -> Iterator[Definition]:
    """The functions and classes that others can reach, methods of public classes included."""
    for node in body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from definitions(node.body)


def docstrings(module: str) -> set[ast.expr]:
    """The nodes of a module that are documentation."""
    owners = [node for node in ast.walk(TREES[module]) if isinstance(node, ast.Module | Definition)]
    firsts = [owner.body[0] for owner in owners if owner.body]
    return {first.value for first in firsts if isinstance(first, ast.Expr)}


def below(height: int) -> list[str]:
    """The modules under a floor."""
    return [module for module in PATHS if floor(module) < height]


def test_every_module_has_one_floor_and_every_name_a_module() -> None:
    assert len(FLOOR_OF) == sum(len(names.split()) for names in FLOORS.values())
    assert {room(module) for module in PATHS} == FLOOR_OF.keys()


@pytest.mark.parametrize("module", PATHS)
def test_imports_run_downward(module: str) -> None:
    upward = {other for other in imported_modules(module) if floor(other) > floor(module)}
    assert upward == set()


def test_no_imports_run_in_a_circle() -> None:
    TopologicalSorter({module: imported_modules(module) for module in PATHS}).prepare()


def test_the_rooms_below_the_command_line_depend_on_the_log_alone() -> None:
    names = [(module, name) for module in below(6) for name in imported(module)]
    impure = [each for each in names if any(is_of(each[1], outside) for outside in IMPURE)]
    assert impure == [("replay.fairness", SEEDED)]


def test_chance_has_a_seed_that_is_given() -> None:
    calls = [node for node in ast.walk(TREES["replay.fairness"]) if isinstance(node, ast.Call)]
    made = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Random"]
    assert [len(call.args) for call in made] == [1]


@pytest.mark.parametrize("module", [module for module in below(5) if module not in READERS])
def test_only_three_modules_below_the_conductor_read_files(module: str) -> None:
    openers = [name for name in imported(module) if any(is_of(name, opener) for opener in OPENERS)]
    nodes = list(ast.walk(TREES[module]))
    opened = [node.lineno for node in nodes if isinstance(node, ast.Name) and node.id == "open"]
    touched = [node.lineno for node in nodes if isinstance(node, ast.Attribute) and node.attr in TOUCHES]
    assert (openers, opened, touched) == ([], [], [])


@pytest.mark.parametrize("module", PATHS)
def test_no_module_is_too_long(module: str) -> None:
    lines = PATHS[module].read_text(encoding="utf-8").count("\n")
    assert lines <= LONGEST_MODULE


@pytest.mark.parametrize("module", PATHS)
def test_no_function_is_too_long(module: str) -> None:
    nodes = [
        node for node in ast.walk(TREES[module]) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    lengths = [(node.name, (node.end_lineno or 0) - node.lineno + 1) for node in nodes]
    assert [each for each in lengths if each[1] > LONGEST_FUNCTION] == []


FLIGHTS = set(value_schemas()["flee"]["enum"])
"""Two ways to settle a flight are called by the rule sets that they come from (rulebook §5)."""


@pytest.mark.parametrize("module", PATHS)
def test_no_code_names_a_rule_set(module: str) -> None:
    ids = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, profile_ids()))})(?![\w-])")
    texts = [node for node in ast.walk(TREES[module]) if isinstance(node, ast.Constant)]
    code = [node for node in texts if isinstance(node.value, str) and node not in docstrings(module)]
    named = [(node.lineno, node.value) for node in code if ids.search(str(node.value))]
    assert [each for each in named if each[1] not in FLIGHTS] == []


@pytest.mark.parametrize("module", PATHS)
def test_all_that_is_public_says_what_it_is(module: str) -> None:
    undocumented = [node.name for node in definitions(TREES[module].body) if not ast.get_docstring(node)]
    assert undocumented == []


GLOSSARY = {
    "shapes": SHAPES.keys(),
    "extras": EXTRAS.keys(),
    "actions": MOVES.keys(),
    "gangs": GANG_SHARES.keys(),
    "settlement": set(schema("report")["$defs"]["entry"]["properties"]["kind"]["enum"]),
}
"""The ids that a reader of a report or a rule set meets, by where they come from."""


@pytest.mark.parametrize("kind", GLOSSARY)
def test_the_glossary_has_every_id(kind: str) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.partition("\n## Glossary\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")]
    assert GLOSSARY[kind] - set(re.findall(r"`(\w+)`", "\n".join(rows))) == set()
