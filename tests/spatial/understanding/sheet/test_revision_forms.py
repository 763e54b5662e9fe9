"""Forms in which tables of changes come: headings of further standards and languages, one row, and rows that nothing heads."""

from __future__ import annotations

import pytest

from spatial.knowledge.table_headers import concepts
from tests.spatial.drawn_tables import Paper, table
from tests.spatial.read_tables import read, rows_of, widths

FIRST_ISSUES = [
    [["ZONE", "LTR", "DESCRIPTION", "DATE", "APPROVED"], ["C4", "A", "HOLE ADDED", "2021-03-04", "J. ZORG"]],
    [["ISSUE", "CHANGE NOTE", "DATE"], ["2", "CN 4411", "12/05/19"]],
    [["REL", "DATE", "DESCRIPTION OF CHANGE"], ["A", "2019-05-12", "FIRST OF ALL"]],
    [["Symbol", "Revised Descriptions", "Date"], ["V2", "Slot added", "2019-05-12"]],
    [["Rev.", "Revision details", "Date"], ["1", "Slot", "2019-05-12"]],
    [["Zust.", "Änderung", "Datum", "Name"], ["a", "Bohrung 6 statt 5", "12.05.2019", "Zorg"]],
    [["Изм.", "Лист", "№ докум.", "Подп.", "Дата"], ["1", "Зам.", "ЗОРГ.123-20", "", "12.05.20"]],
    [["Змін.", "Арк.", "№ докум.", "Підп.", "Дата"], ["1", "", "ЗОРГ.12", "", "12.05.20"]],
    [["标记", "处数", "分区", "更改文件号", "签名", "年月日"], ["A", "1", "", "ZN2020-11", "张三", "2020.05.12"]],
    [["序号", "修订内容", "修订日期", "修订者"], ["1", "孔径改大", "2020.5.12", "张三"]],
    [["訂番", "訂正理由", "年月日", "訂正者"], ["1", "誤記訂正", "2020/05/12", "山田"]],
    [["번호", "변경내용", "일자", "변경자"], ["1", "구멍 추가", "2020.05.12", "김철수"]],
    [["STT", "Nội dung sửa đổi", "Ngày", "Ký"], ["1", "Phát hành lần đầu", "12/05/2019", "Nam"]],
    [["Rev", "变动项", "日期"], ["B", "面板加厚一点", "2020-05-12"]],
]


@pytest.mark.requirement("tables.change-forms")
@pytest.mark.parametrize("upwards", [False, True])
@pytest.mark.parametrize("rows", FIRST_ISSUES, ids=lambda rows: str(rows[0][1]))
def test_one_change_in_a_form_of_several_rows_is_read_whatever_standard_heads_it(
    rows: list[list[str]], upwards: bool
) -> None:
    paper = Paper()
    blank = [[""] * len(rows[0])] * 2
    table(
        paper,
        [*rows, *blank],
        30,
        60 if upwards else 260,
        [max(30.0, 2 * each) for each in widths(rows)],
        upwards=upwards,
    )
    found = read(paper.sheet())
    assert [rows_of(each, rows[0]) for each in found.revisions] == [rows[1:]]
    assert not found.bom


@pytest.mark.requirement("tables.change-forms")
@pytest.mark.parametrize(
    "rows",
    [
        [["序号", "名称", "日期"], ["1", "面板", "2020.5.12"]],
        [
            ["No", "PART", "STATUS", "DATE"],
            ["1", "PLATE", "FOR COMMENT", "2020.5.12"],
            ["1", "COVER", "HOLD", "2020.5.12"],
        ],
        [["STATUS", "DATE", "DRAWN"], ["FOR COMMENT", "2020-05-12", "ZORG"]],
        [["NO", "STATUS", "DATE"], ["1", "PASSED", "2020-05-12"], ["2", "FAILED", "2020-05-13"]],
        [
            ["NO", "TEST", "STATUS", "DATE"],
            ["1", "LEAK", "PASSED", "2020-05-12"],
            ["2", "LOAD", "FAILED", "2020-05-13"],
        ],
        [
            ["NO", "NAME", "STATUS", "DATE"],
            ["1", "A. ZORG", "SIGNED", "2020-05-12"],
            ["2", "B. GOGOL", "SIGNED", "2020-05-12"],
        ],
        [["Rev", "材料项", "日期"], ["B", "张三", "2020-05-12"]],
    ],
)
def test_a_row_of_a_thing_or_of_who_drew_is_no_change_in_these_forms(rows: list[list[str]]) -> None:
    paper = Paper()
    table(paper, rows, 30, 260, [2 * each for each in widths(rows)])
    assert not read(paper.sheet()).revisions


@pytest.mark.requirement("tables.change-forms")
@pytest.mark.parametrize(("spread", "closed"), [("N O", "NO"), ("R E V", "REV"), ("Q T Y", "QTY"), ("D A T E", "DATE")])
def test_a_heading_whose_letters_stand_apart_is_the_word_that_they_make(spread: str, closed: str) -> None:
    assert concepts(spread) == concepts(closed) != frozenset()
    assert not concepts("DA TE")


@pytest.mark.requirement("tables.change-forms")
def test_a_heading_with_a_word_for_a_thing_among_those_for_changes_is_of_no_change() -> None:
    assert concepts("Amendment text") == {"change"}
    assert not concepts("Amendment text pump")


CHANGES = [
    ["A", "FIRST ISSUE", "2019-03-04", "ZO"],
    ["B", "BORE WAS 5", "2020-03-04", "GO"],
    ["C", "EDGE ADDED", "2021-03-04", "ZO"],
]


@pytest.mark.requirement("tables.without-heads")
@pytest.mark.parametrize("angle", [0, 90])
@pytest.mark.parametrize("rows", [CHANGES, CHANGES[::-1], [["", "", "", ""], *CHANGES[1::-1]]])
def test_rows_with_a_mark_a_date_and_words_that_nothing_heads_are_changes(rows: list[list[str]], angle: int) -> None:
    paper = Paper()
    table(paper, rows, 30, 260, [15.0, 60.0, 40.0, 20.0])
    (found,) = read(paper.sheet(angle)).revisions
    assert rows_of(found, ["column 1", "column 2", "column 3", "column 4"]) == [row for row in rows if row[0]]


@pytest.mark.requirement("tables.without-heads")
@pytest.mark.parametrize(("title", "count"), [("REVISIONS", 1), ("GEAR DATA", 0), ("", 0)])
def test_one_row_that_nothing_heads_is_a_change_under_a_title_that_says_so(title: str, count: int) -> None:
    paper = Paper()
    table(paper, CHANGES[:1], 30, 254, [15.0, 60.0, 40.0, 20.0])
    table(paper, [[title]], 30, 260, [135.0])
    assert len(read(paper.sheet()).revisions) == count


@pytest.mark.requirement("tables.without-heads")
@pytest.mark.parametrize(
    "rows",
    [
        [["A", "PLATE STEEL", "12.5"], ["B", "COVER STEEL", "13.5"]],
        [["1", "LEAK TEST", "2019-03-04"], ["2", "PRESSURE TEST", "2020-03-04"]],
        [["A", "FIRST ISSUE", "2019-03-04"], ["C", "BORE WAS 5", "2020-03-04"]],
        [["A", "FIRST ISSUE", "2019-03-04"], ["B", "BORE WAS 5", ""]],
        [["A", "ZORG", "2019-03-04"], ["B", "GOGOL", "2020-03-04"]],
        [["DRAWN", "A. ZORG", "2019-03-04"], ["CHECKED", "B. GOGOL", "2020-03-04"]],
        [["1", "DRAWN BY", "2019-03-04"], ["2", "CHECKED BY", "2020-03-04"]],
        [["A", "FIRST ISSUE", "2019-03-04", "2019-03-05"], ["B", "BORE WAS 5", "2020-03-04", "2020-03-05"]],
    ],
)
def test_rows_of_parts_of_signatures_or_of_marks_that_do_not_go_on_are_no_changes(rows: list[list[str]]) -> None:
    paper = Paper()
    table(paper, rows, 30, 260, [25.0, 60.0, 40.0, 40.0][: len(rows[0])])
    assert not read(paper.sheet()).revisions
