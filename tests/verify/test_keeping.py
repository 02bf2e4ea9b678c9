"""What was found in files, told again of files that are as they were."""

import importlib
import sys
from pathlib import Path

import pytest

from dxir.runtime.cache import Cache
from dxir.verify.files import File
from dxir.verify.fleet import check_files
from dxir.verify.keeping import the_reports
from dxir.verify.report import Report
from dxir.verify.settings import Settings
from dxir.verify.team import Team

FAULTY = b"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  return %y : tensor<2xf32>\n}\n"
GOOD = FAULTY.replace(b"%y", b"%x")

RULES = '''
from pathlib import Path
from dxir.verify import Rule, option

class Golden(Rule, id="acme-golden", severity="note"):
    """What another file says.

    For tests.
    """
    remedy = "none"
    file: str = option("The other file.", default="")
    def reads(self, subject):
        return [self.file or str(Path(subject.source.name).with_suffix(".txt"))]
    def check(self, subject):
        path = Path(*self.reads(subject))
        if path.exists():
            yield self.found(path.read_text(), None, subject)

class Moody(Rule, id="acme-moody", severity="note", enabled=False):
    """What time it is.

    For tests.
    """
    remedy = "none"
    repeatable = False
'''


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    """The cache, in a folder of its own, with rules of another package installed."""
    package = tmp_path / "site"
    described = package / "acme-1.0.dist-info"
    described.mkdir(parents=True)
    (package / "acme_rules.py").write_text(RULES)
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text("[dxir.rules]\nacme = acme_rules\n")
    monkeypatch.setattr(sys, "path", [str(package), *sys.path])
    monkeypatch.setenv("DXIR_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("DXIR_CACHE", raising=False)
    keeping = sys.modules["dxir.verify.keeping"]
    monkeypatch.setattr(keeping, "_made_by", keeping._made_by.__wrapped__)
    return the_reports()


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that processes were given to check."""
    found: list[str] = []
    give = Team.give

    def counted(self: Team, task: dict[str, object], data: bytes | None = None) -> None:
        found.append(Path(str(task["name"])).name)
        give(self, task, data)

    monkeypatch.setattr(Team, "give", counted)
    return found


STRUCTURE = Settings(only=("structure-*",))
GOLDEN = Settings(only=("acme-golden",))


def check(*paths: Path, settings: Settings = STRUCTURE, cache: bool = True) -> list[Report]:
    return list(check_files(paths, settings, jobs=1, cache=cache))


def test_a_file_that_is_as_it_was_is_not_checked_again_whatever_its_name(
    tmp_path: Path, checked: list[str]
) -> None:
    first, second = tmp_path / "a.mlir", tmp_path / "b.mlir"
    first.write_bytes(FAULTY)
    found = check(first)
    second.write_bytes(FAULTY)
    again = check(first, second)
    assert checked == ["a.mlir"]
    assert again[0] == found[0]
    assert again[1].name == again[1].findings[0].place.file == str(second)
    assert again[1].findings[0].place.line == found[0].findings[0].place.line == 2
    first.write_bytes(GOOD)
    assert check(first)[0].findings == ()
    assert checked == ["a.mlir", "a.mlir"]


def test_other_settings_and_other_code_are_other_checks(tmp_path: Path, checked: list[str]) -> None:
    path = tmp_path / "a.mlir"
    path.write_bytes(FAULTY)
    check(path)
    found = check(path, settings=Settings(only=("structure-*",), severities={"*": "note"}))
    assert found[0].findings[0].severity == "note"
    (tmp_path / "site" / "acme_rules.py").write_text(RULES + "\n")
    check(path)
    assert len(checked) == 3
    check(path, cache=False)
    assert len(checked) == 4
    check(path, settings=Settings(only=("structure-*",), fail_on="error"))
    assert len(checked) == 4, "what fails a run plays no part in what is found"


@pytest.mark.slow
def test_what_a_module_of_rules_may_import_is_part_of_it(
    tmp_path: Path, checked: list[str]
) -> None:
    path = tmp_path / "a.mlir"
    path.write_bytes(GOOD)
    own = tmp_path / "site"
    (own / "own_rules.py").write_text("import own_words\n")
    importlib.invalidate_caches()
    settings = Settings(only=("structure-parse",), imports=("own_rules",))
    for words in ("WORD = 1\n", "WORD = 22\n"):
        (own / "own_words.py").write_text(words)
        check(path, settings=settings)
        check(path, settings=settings)
    assert len(checked) == 2


@pytest.mark.slow
def test_what_another_file_says_counts_only_while_it_says_so(
    tmp_path: Path, checked: list[str]
) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
        (folder / "m.mlir").write_bytes(GOOD)
    golden = folders[0] / "m.txt"

    def said(folder: Path) -> list[str]:
        return [f.message for f in check(folder / "m.mlir", settings=GOLDEN)[0].findings]

    assert said(folders[0]) == said(folders[0]) == []
    assert len(checked) == 1
    golden.write_text("first")
    assert said(folders[0]) == said(folders[0]) == ["first"]
    golden.write_text("second")
    assert said(folders[0]) == ["second"]
    assert len(checked) == 3
    assert said(folders[1]) == []
    golden.unlink()
    assert said(folders[0]) == []


def test_the_standard_input_is_where_its_name_says(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("of a")

    def said(name: str) -> list[str]:
        file = File("-", str(tmp_path / name), GOOD)
        (report,) = check_files([file], GOLDEN, jobs=1)
        return [f.message for f in report.findings]

    assert said("a.mlir") == said("a.mlir") == ["of a"]
    assert said("b.mlir") == []


def test_what_may_come_out_otherwise_is_not_kept(tmp_path: Path, cache: Cache) -> None:
    path = tmp_path / "a.mlir"
    path.write_bytes(GOOD)
    check(path, settings=Settings(only=("acme-moody",)))
    assert cache.entries() == []
    check(path, tmp_path / "site" / ".." / "a.mlir")
    assert len(cache.entries()) == 1


@pytest.mark.slow
def test_entries_that_are_damaged_are_checked_again_and_too_many_leave(
    tmp_path: Path, cache: Cache, checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.mlir"
    path.write_bytes(FAULTY)
    found = check(path)
    entry = cache.entries()[0]
    entry.path.write_bytes(entry.path.read_bytes()[:-1] + b"x")
    assert check(path) == found
    assert len(checked) == 2
    monkeypatch.setenv("DXIR_CACHE_BYTES", str(entry.bytes + 10))
    other = tmp_path / "b.mlir"
    other.write_bytes(FAULTY + b" ")
    check(path, other)
    assert [e.key for e in cache.entries()] != [entry.key]
    assert len(cache.entries()) == 1
    monkeypatch.setenv("DXIR_CACHE", "0")
    check(other)
    assert len(checked) == 4
