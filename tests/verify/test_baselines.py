"""Known findings are set aside, wherever they move, and told when they are gone."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from dxir.errors import ConfigurationError
from dxir.verify.baselines import Baseline, baseline_to_update, read_baseline
from dxir.verify.finding import Finding, Place
from dxir.verify.report import Report
from dxir.verify.settings import Settings

RULE = "structure-function-terminator"


def finding(file: Path | str, line: int = 1, message: str = "it is 3 too long") -> Finding:
    return Finding(RULE, "warning", message, Place(str(file), line), op="a.b", function="main")


def report(file: Path | str, *findings: Finding) -> Report:
    return Report(str(file), findings)


def written(path: Path, *reports: Report) -> Baseline:
    Baseline(path).updated(reports, Settings()).write()
    return read_baseline(path)


def test_known_findings_are_set_aside_however_their_lines_and_numbers_change(
    tmp_path: Path,
) -> None:
    file = tmp_path / "a.mlir"
    known = written(tmp_path / "known.json", report(file, finding(file), finding(file, 2)))
    now = report(
        file,
        finding(file, 7, "it is 5 too long"),
        finding(file, 8),
        finding(file, 9),
        Finding("structure-parse", "error", "another", Place(str(file))),
    )
    left, used = known.set_aside(now)
    assert [f.place.line for f in left.findings] == [9, 0]
    assert [f.place.line for f in left.known] == [7, 8]
    assert used.total() == 2


def test_a_baseline_holds_in_another_checkout_and_from_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        (folder / "models").mkdir(parents=True)
        (folder / "models" / "a.mlir").touch()
    file = here / "models" / "a.mlir"
    written(here / "known.json", report(file, finding(file)))
    (here / "known.json").rename(there / "known.json")
    monkeypatch.chdir(there / "models")
    left, _ = read_baseline(Path("../known.json")).set_aside(report("a.mlir", finding("a.mlir")))
    assert left.findings == ()
    left, _ = read_baseline(Path("../known.json")).set_aside(report("b.mlir", finding("b.mlir")))
    assert len(left.findings) == 1


def test_the_file_has_a_line_for_each_finding_in_order(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    a, b = tmp_path / "a.mlir", tmp_path / "b.mlir"
    written(path, report(b, finding(b)), report(a, finding(a), finding(a, 2)))
    text = path.read_text()
    rows = json.loads(text)["findings"]
    assert [(row["file"], row["count"]) for row in rows] == [("a.mlir", 2), ("b.mlir", 1)]
    assert rows[0]["message"] == "it is 3 too long"
    assert sum('"fingerprint"' in line for line in text.splitlines()) == 2
    written(path, report(b, finding(b)), report(a, finding(a), finding(a, 2)))
    assert path.read_text() == text


def test_findings_that_were_looked_for_and_not_found_are_gone(tmp_path: Path) -> None:
    a, b, c = (tmp_path / name for name in ("a.mlir", "b.mlir", "c.mlir"))
    for file in (a, b):
        file.touch()
    known = written(
        tmp_path / "known.json",
        report(a, finding(a), finding(a)),
        report(b, finding(b)),
        report(c, finding(c)),
    )
    now = report(a, finding(a))
    _, used = known.set_aside(now)
    assert known.gone([now], used, Settings()) == 2, "one of a, and c, which is no longer there"
    assert known.gone([now], used, Settings(ignore=(RULE,))) == 1
    unread = report(a, Finding("structure-parse", "error", "", Place(str(a))))
    assert known.gone([unread], Counter(), Settings()) == 1


def test_an_update_keeps_what_was_not_looked_at(tmp_path: Path) -> None:
    a, b, c = (tmp_path / name for name in ("a.mlir", "b.mlir", "c.mlir"))
    for file in (a, b):
        file.touch()
    known = written(
        tmp_path / "known.json", report(a, finding(a)), report(b, finding(b)), report(c, finding(c))
    )
    now = known.updated([report(a, finding(a, 1, "another"))], Settings())
    assert {(key.file, now.messages[key]) for key in now.counts} == {
        ("a.mlir", "another"),
        ("b.mlir", "it is 3 too long"),
    }
    note = Finding(RULE, "note", "only a note", Place(str(a)))
    assert not Baseline(known.path).updated([report(a, note)], Settings()).counts
    assert Baseline(known.path).updated([report(a, note)], Settings(fail_on="note")).counts


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "the baseline is not JSON"),
        ("[]", "this is no baseline"),
        ('{"format": "other"}', "this is no baseline"),
        ('{"format": "dxir-verify-baseline", "version": 9}', "has version 9, this dxir reads 1"),
        ('{"format": "dxir-verify-baseline", "version": 1}', "a finding that is none: KeyError"),
        (
            '{"format": "dxir-verify-baseline", "version": 1, "findings": [3]}',
            "a finding that is none: TypeError",
        ),
        (
            '{"format": "dxir-verify-baseline", "version": 1, "findings": '
            '[{"file": "a", "rule": "b", "fingerprint": "c", "count": Infinity}]}',
            "a finding that is none: ValueError: its count is inf",
        ),
    ],
)
def test_what_is_no_baseline_is_an_error_at_the_file(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "known.json"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=message) as raised:
        read_baseline(path)
    assert raised.value.where == str(path)


def test_a_baseline_that_is_not_there_and_one_that_cannot_be_written_are_errors(
    tmp_path: Path,
) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read: No such file"):
        read_baseline(tmp_path / "none.json")
    with pytest.raises(ConfigurationError, match="cannot be written: No such file"):
        Baseline(tmp_path / "none" / "known.json").write()
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match="cannot be written: Not a directory"):
        Baseline(tmp_path / "file" / "known.json").write()
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_what_is_no_regular_file_stays_what_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert baseline_to_update(pipe) == Baseline(pipe)
    opened = os.open(pipe, os.O_RDWR)
    Baseline(pipe).write()
    assert b"dxir-verify-baseline" in os.read(opened, 1000)
    os.close(opened)
    assert pipe.is_fifo()
