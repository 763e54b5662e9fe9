"""Title blocks whose cells a standard, or a program's own form, fixes in place and size: what stands in a cell needs no label there.

Places are in millimetres from the lower left corner of the block.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

Cell = tuple[float, float, float, float]
"""x least, y least, x greatest, y greatest."""


@dataclass(frozen=True, slots=True)
class StandardForm:
    """One form of a standard."""

    name: str
    source: str
    labels: Mapping[str, Cell]
    """What is printed in the form, folded (`title_labels.folded`), to its cell; each stands in it once."""
    fields: Mapping[str, Cell]
    """Field of the title block to the cell that holds its value without a label."""
    instead: Mapping[str, Cell] = field(default_factory=dict)
    """Field to the cell that names it where its own names no more than the kind of a document."""
    names_part: bool = False
    """Whether a program writes the name of the part's file into the cell of the number."""


ROW: Final = 5.0
"""Height of the rows of GOST 2.104."""


def _rows(left: float, right: float, feet: Mapping[str, float]) -> dict[str, Cell]:
    """Cells of a column, by what stands in them, from the heights of their feet."""
    return {name: (left, foot, right, foot + ROW) for name, foot in feet.items()}


def _headings(foot: float) -> dict[str, Cell]:
    """The headings of the columns of the roles."""
    signature = (40.0, foot, 55.0, foot + ROW)
    return {
        "no докум": (17.0, foot, 40.0, foot + ROW),
        "подп": signature,
        "подпись": signature,
        "дата": (55.0, foot, 65.0, foot + ROW),
    }


FORMS: Final = (
    # Before form 2, whose words stand as these do.
    StandardForm(
        "form 3 of construction",
        "GOST R 21.101-2020, annex Ж, form 3: drawings of buildings; 2 is the site or its owner, 3 the building, 4 what is drawn",
        MappingProxyType(
            {
                "изм": (0.0, 30.0, 10.0, 35.0),
                "кол уч": (10.0, 30.0, 20.0, 35.0),
                "no док": (30.0, 30.0, 40.0, 35.0),
                "подп": (40.0, 30.0, 55.0, 35.0),
                "подпись": (40.0, 30.0, 55.0, 35.0),
                "дата": (55.0, 30.0, 65.0, 35.0),
                "стадия": (135.0, 25.0, 150.0, 30.0),
                "лист": (150.0, 25.0, 165.0, 30.0),
                "листов": (165.0, 25.0, 185.0, 30.0),
            }
        ),
        MappingProxyType(
            {
                "drawing_number": (65.0, 45.0, 185.0, 55.0),
                "project": (65.0, 30.0, 185.0, 45.0),
                "title": (65.0, 0.0, 135.0, 15.0),
                "company": (135.0, 0.0, 185.0, 15.0),
            }
        ),
        MappingProxyType({"title": (65.0, 15.0, 135.0, 30.0)}),
    ),
    StandardForm(
        "form 4 of construction",
        "GOST R 21.101-2020, annex Ж, form 4: drawings of building products",
        MappingProxyType(
            {
                "изм": (0.0, 30.0, 10.0, 35.0),
                "кол уч": (10.0, 30.0, 20.0, 35.0),
                "no док": (30.0, 30.0, 40.0, 35.0),
                "подп": (40.0, 30.0, 55.0, 35.0),
                "подпись": (40.0, 30.0, 55.0, 35.0),
                "дата": (55.0, 30.0, 65.0, 35.0),
                "стадия": (135.0, 30.0, 150.0, 35.0),
                "масса": (150.0, 30.0, 165.0, 35.0),
                "масштаб": (165.0, 30.0, 185.0, 35.0),
                "листов": (155.0, 15.0, 185.0, 20.0),
            }
        ),
        MappingProxyType(
            {
                "drawing_number": (65.0, 35.0, 185.0, 55.0),
                "title": (65.0, 15.0, 135.0, 35.0),
                "material": (65.0, 0.0, 135.0, 15.0),
                "company": (135.0, 0.0, 185.0, 15.0),
                "weight": (150.0, 20.0, 165.0, 30.0),
                "scale": (165.0, 20.0, 185.0, 30.0),
                "sheet": (135.0, 15.0, 155.0, 20.0),
                "sheet_count": (155.0, 15.0, 185.0, 20.0),
            }
        ),
    ),
    StandardForm(
        "form 1",
        "GOST 2.104-2006, annex A, form 1: drawings and diagrams",
        MappingProxyType(
            {
                **_rows(0.0, 17.0, {"разраб": 25.0, "пров": 20.0, "т контр": 15.0, "н контр": 5.0, "утв": 0.0}),
                **_headings(30.0),
                "лит": (135.0, 35.0, 150.0, 40.0),
                "масса": (150.0, 35.0, 167.0, 40.0),
                "масштаб": (167.0, 35.0, 185.0, 40.0),
                "листов": (155.0, 15.0, 185.0, 20.0),
            }
        ),
        MappingProxyType(
            {
                "drawing_number": (65.0, 40.0, 185.0, 55.0),
                "title": (65.0, 15.0, 135.0, 40.0),
                "material": (65.0, 0.0, 135.0, 15.0),
                "company": (135.0, 0.0, 185.0, 15.0),
                "weight": (150.0, 20.0, 167.0, 35.0),
                "scale": (167.0, 20.0, 185.0, 35.0),
                "sheet": (135.0, 15.0, 155.0, 20.0),
                "sheet_count": (155.0, 15.0, 185.0, 20.0),
                **_rows(17.0, 40.0, {"drawn_by": 25.0, "checked_by": 20.0, "approved_by": 0.0}),
                "date": (55.0, 25.0, 65.0, 30.0),
            }
        ),
    ),
    StandardForm(
        "form 2",
        "GOST 2.104-2006, annex A, form 2: first sheets of text documents",
        MappingProxyType(
            {
                **_rows(0.0, 17.0, {"разраб": 20.0, "пров": 15.0, "н контр": 5.0, "утв": 0.0}),
                **_headings(25.0),
                "лит": (135.0, 20.0, 150.0, 25.0),
                "листов": (165.0, 20.0, 185.0, 25.0),
            }
        ),
        MappingProxyType(
            {
                "drawing_number": (65.0, 25.0, 185.0, 40.0),
                "title": (65.0, 0.0, 135.0, 25.0),
                "company": (135.0, 0.0, 185.0, 15.0),
                "sheet": (150.0, 15.0, 165.0, 20.0),
                "sheet_count": (165.0, 15.0, 185.0, 20.0),
            }
        ),
    ),
    StandardForm(
        "title block of GB/T 10609.1",
        "GB/T 10609.1-2008, figure A.1: drawings and documents",
        MappingProxyType(
            {
                "标记": (0.0, 28.0, 10.0, 35.0),
                "处数": (10.0, 28.0, 20.0, 35.0),
                "分区": (20.0, 28.0, 36.0, 35.0),
                "更改文件号": (36.0, 28.0, 52.0, 35.0),
                "年月日": (64.0, 28.0, 80.0, 35.0),
                "设计": (0.0, 21.0, 12.0, 28.0),
                "审核": (0.0, 7.0, 12.0, 14.0),
                "工艺": (0.0, 0.0, 12.0, 7.0),
                "标准化": (40.0, 21.0, 52.0, 28.0),
                "批准": (40.0, 0.0, 52.0, 7.0),
                "阶段标记": (80.0, 18.0, 106.0, 28.0),
                "比例": (118.0, 18.0, 130.0, 28.0),
            }
        ),
        MappingProxyType(
            {
                "company": (130.0, 38.0, 180.0, 56.0),
                "title": (130.0, 18.0, 180.0, 38.0),
                "drawing_number": (130.0, 0.0, 180.0, 18.0),
                "material": (80.0, 28.0, 130.0, 56.0),
                "weight": (106.0, 9.0, 118.0, 18.0),
                "scale": (118.0, 9.0, 130.0, 18.0),
            }
        ),
    ),
    StandardForm(
        "sheet formats gb",
        "SOLIDWORKS, sheet formats gb_a0.slddrt to gb_a4.slddrt: the title block of GB/T 10609.1 with words of its own",
        MappingProxyType(
            {
                "标记": (0.0, 28.0, 10.0, 35.0),
                "处数": (10.0, 28.0, 20.0, 35.0),
                "分区": (20.0, 28.0, 36.0, 35.0),
                "更改文件号": (36.0, 28.0, 52.0, 35.0),
                "签名": (52.0, 28.0, 64.0, 35.0),
                "年月日": (64.0, 28.0, 80.0, 35.0),
                "设计": (0.0, 21.0, 12.0, 28.0),
                "校核": (0.0, 14.0, 12.0, 21.0),
                "主管设计": (0.0, 7.0, 12.0, 14.0),
                "标准化": (40.0, 21.0, 52.0, 28.0),
                "工艺": (40.0, 14.0, 52.0, 21.0),
                "审核": (40.0, 7.0, 52.0, 14.0),
                "批准": (40.0, 0.0, 52.0, 7.0),
                "阶段标记": (80.0, 28.0, 106.0, 38.0),
                "重量": (106.0, 28.0, 118.0, 38.0),
                "比例": (118.0, 28.0, 130.0, 38.0),
                "版本": (106.0, 0.0, 130.0, 9.0),
            }
        ),
        MappingProxyType(
            {
                "company": (130.0, 38.0, 180.0, 56.0),
                "title": (130.0, 18.0, 180.0, 38.0),
                "drawing_number": (130.0, 9.0, 180.0, 18.0),
                "material": (80.0, 38.0, 130.0, 56.0),
                "weight": (106.0, 18.0, 118.0, 28.0),
                "scale": (118.0, 18.0, 130.0, 28.0),
            }
        ),
    ),
    StandardForm(
        "title block sample",
        "CATIA V5, drafting, Drawing_Titleblock_Sample1.CATScript: text TitleBlock_Text_Company",
        MappingProxyType(
            {
                "designed by": (0.0, 45.0, 45.0, 60.0),
                "checked by": (0.0, 30.0, 45.0, 45.0),
                "size": (0.0, 17.0, 20.0, 30.0),
                "scale": (0.0, 4.0, 20.0, 17.0),
                "weight kg": (20.0, 4.0, 45.0, 17.0),
                "drawing no": (45.0, 4.0, 145.0, 17.0),
                "sheet": (145.0, 4.0, 165.0, 17.0),
            }
        ),
        MappingProxyType({"title": (45.0, 30.0, 165.0, 60.0), "company": (45.0, 17.0, 165.0, 30.0)}),
    ),
    StandardForm(
        "title block ISO",
        "Autodesk Inventor, template ISO.idw, title block ISO: properties COMPANY, TITLE and PART NUMBER in cells without labels",
        MappingProxyType(
            {
                "designed by": (0.0, 20.0, 32.0, 30.0),
                "checked by": (32.0, 20.0, 57.0, 30.0),
                "approved by": (57.0, 20.0, 97.0, 30.0),
                "date": (120.0, 20.0, 150.0, 30.0),
                "edition": (135.0, 0.0, 150.0, 10.0),
                "sheet": (150.0, 0.0, 170.0, 10.0),
            }
        ),
        MappingProxyType(
            {
                "company": (0.0, 0.0, 75.0, 20.0),
                "title": (75.0, 10.0, 170.0, 20.0),
                "drawing_number": (75.0, 0.0, 135.0, 10.0),
            }
        ),
        names_part=True,
    ),
)
