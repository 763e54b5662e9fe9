"""What our code uses of libraries beyond their public interface is listed next to it (`private_names.toml`), and is still there."""

from __future__ import annotations

import ast
import functools
import inspect
import re
import tomllib
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import version
from typing import Any, Final

import pytest

from tests.support.stack import ROOT
from tests.test_repository import PACKAGES

pytestmark = pytest.mark.requirement("runtime.private-names")

LISTS: Final = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("private_names.toml"))

NON_PUBLIC: Final = (
    "prefect.context.AsyncClientContext",
    "prefect.context.SyncClientContext",
    "prefect.context.refresh_global_settings_context",
    "prefect.flow_engine",
    "prefect.logging.configuration",
    "prefect.task_engine",
    "prefect.workers.base",
)
"""What of Prefect only prefect_runtime imports, beside names that start with an underscore. The contexts of runs are public."""


@dataclass(frozen=True)
class Use:
    """One row: names of one class or module of a library that one of our files uses."""

    library: str
    owner: str
    """`module`, or `module:Class`."""
    file: str
    why: str
    names: list[str]
    signatures: dict[str, list[str]] = field(default_factory=dict)

    def missing(self) -> list[str]:
        """A sentence for each name that the installed version lacks, or whose parameters are others."""
        module, _, attribute = self.owner.partition(":")
        owner = getattr(import_module(module), attribute, None) if attribute else import_module(module)
        lost = [name for name in [*self.names, *self.signatures] if owner is None or not _has(owner, name)]
        changed = [
            name for name in self.signatures.keys() - set(lost) if _parameters(owner, name) != self.signatures[name]
        ]
        found = f"{self.library} {version(self.library)}"
        return [
            *(f"{found} no longer has {self.owner}.{name}; {self.file} uses it to {self.why}" for name in lost),
            *(
                f"{found} gives {self.owner}.{name} the parameters {', '.join(_parameters(owner, name))} instead of "
                f"{', '.join(self.signatures[name])}; {self.file} uses it to {self.why}"
                for name in changed
            ),
        ]


def _has(owner: Any, name: str) -> bool:
    """Whether a class or module has the name, or its instances get it."""
    if hasattr(owner, name):
        return True
    kinds = inspect.getmro(owner) if inspect.isclass(owner) else ()
    return any(name in inspect.get_annotations(kind) or _assigns(kind, name) for kind in kinds)


def _assigns(kind: type, name: str) -> bool:
    """Whether a class gives an attribute to its instances; of one that names another module as its own, only the constructor is found."""
    sources = []
    for part in (kind, vars(kind).get("__init__")):
        with suppress(OSError, TypeError):  # a built-in class
            sources.append(inspect.getsource(part))  # type: ignore[arg-type]  # None is a TypeError
    return any(re.search(rf"\bself\.{name}\b(: [^=]+)? = ", source) for source in sources)


def _parameters(owner: Any, name: str) -> list[str]:
    return list(inspect.signature(getattr(owner, name)).parameters)


USES: Final = [
    Use(library=listed["library"], **row)
    for path in LISTS
    for listed in [tomllib.loads(path.read_text())]
    for row in listed["uses"]
]


@pytest.mark.parametrize("use", USES, ids=lambda use: use.owner)
def test_the_installed_version_has_what_we_use(use: Use) -> None:
    assert use.missing() == []


def test_an_upgrade_that_removes_or_changes_a_name_is_reported_in_a_sentence() -> None:
    owner, file = "prefect.flow_engine:AsyncFlowRunEngine", "prefect_runtime/engine.py"
    gone = Use("prefect", owner, file, "run", ["_gone"], {"begin_run": ["self", "now"]})
    installed = f"prefect {version('prefect')}"
    lost, changed = gone.missing()
    assert lost == f"{installed} no longer has {owner}._gone; {file} uses it to run"
    assert changed == (
        f"{installed} gives {owner}.begin_run the parameters self instead of self, now; {file} uses it to run"
    )
    assert Use("prefect", "prefect.flow_engine:Gone", "x.py", "run", ["name"]).missing()


@pytest.mark.parametrize("library", sorted({use.library for use in USES}))
def test_the_library_is_pinned_exactly(library: str) -> None:
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert f"{library}=={version(library)}" in asked


@functools.cache
def sources() -> list[tuple[str, ast.Module]]:
    """Every module of ours that names one of the libraries, by its path, parsed."""
    texts = {path: path.read_text() for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))}
    libraries = {use.library for use in USES}
    return [
        (str(path.relative_to(ROOT)), ast.parse(text))
        for path, text in texts.items()
        if any(library in text for library in libraries)
    ]


def imported(tree: ast.Module) -> set[str]:
    """Modules that a module imports, wherever in it; a name of `from x import y` may be a module."""
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def defined(tree: ast.Module) -> set[str]:
    """Names that a module gives to attributes, functions and classes of its own."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self":
            names.add(node.attr)
    return names


def private_attributes(tree: ast.Module) -> set[str]:
    """Attributes with a leading underscore that a module uses and does not define."""
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and re.match(r"_[a-z]", node.attr)}
    return used - defined(tree)


def test_private_attributes_of_a_library_are_listed_next_to_the_code() -> None:
    libraries = {use.library for use in USES}
    unlisted = []
    for path, tree in sources():
        if libraries & {name.partition(".")[0] for name in imported(tree)}:
            listed = {name for use in USES if use.file == path for name in [*use.names, *use.signatures]}
            unlisted += [f"{path} uses {name}" for name in sorted(private_attributes(tree) - listed)]
    assert unlisted == [], "list them in the private_names.toml of the package, with the reason"


BOOKKEEPING = {"_abc_impl", "_cache", "_instantiation_lock", "_pid"}
"""What metaclasses set on every class: abc's, and that of fsspec's file systems, whose instances are cached."""


def test_private_methods_that_our_classes_override_are_listed() -> None:
    import_module("prefect_runtime.worker")
    unlisted = []
    for use in USES:
        module, _, name = use.owner.partition(":")
        owner = getattr(import_module(module), name, None)
        for ours in owner.__subclasses__() if inspect.isclass(owner) else ():
            if ours.__module__.partition(".")[0] in PACKAGES:
                overridden = {each for each in vars(ours) if re.match(r"_[a-z]", each) and hasattr(owner, each)}
                unlisted += sorted(overridden - {*use.names, *use.signatures, *BOOKKEEPING})
    assert unlisted == []


def test_only_prefect_runtime_imports_what_prefect_keeps_private() -> None:
    private = re.compile(r"prefect\.(.*\.)?_[a-z]|" + "|".join(re.escape(name) + r"(\.|$)" for name in NON_PUBLIC))
    found = [
        f"{path} imports {name}"
        for path, tree in sources()
        for name in sorted(imported(tree))
        if private.match(name) and not path.startswith("prefect_runtime/")
    ]
    assert found == []
