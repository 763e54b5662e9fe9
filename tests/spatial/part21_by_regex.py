"""A second reading of the PMI of a STEP file, by regular expressions alone: it shares nothing with the reader that it checks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

STATEMENT = re.compile(r"#(\d+)\s*=\s*((?:[^';]|'(?:[^']|'')*')*);")
SIZES = r"\b(?:DIMENSIONAL_SIZE(?:_WITH_PATH|_WITH_DATUM_FEATURE)?|ANGULAR_SIZE)\("
LOCATIONS = r"\b(?:(?:DIRECTED_)?DIMENSIONAL_LOCATION(?:_WITH_PATH)?|ANGULAR_LOCATION)\("
KIND = re.compile(
    r"\b(ANGULARITY|CIRCULAR_RUNOUT|COAXIALITY|CONCENTRICITY|CYLINDRICITY|FLATNESS|LINE_PROFILE|PARALLELISM|PERPENDICULARITY|POSITION"
    r"|ROUNDNESS|STRAIGHTNESS|SURFACE_PROFILE|SYMMETRY|TOTAL_RUNOUT)_TOLERANCE\("
)


@dataclass
class ByRegex:
    """The statements of a file, and what they say."""

    text: str
    statements: dict[int, str] = field(init=False)

    def __post_init__(self) -> None:
        bare = re.sub(r"/\*.*?\*/", " ", self.text, flags=re.DOTALL)
        self.statements = {int(found[1]): " ".join(found[2].split()) for found in STATEMENT.finditer(bare)}

    def numbers(self, pattern: str) -> set[int]:
        """Instances whose text has a match."""
        return {number for number, text in self.statements.items() if re.search(pattern, text)}

    @cached_property
    def dimensions(self) -> set[int]:
        return self.numbers(SIZES) | self.numbers(LOCATIONS)

    @cached_property
    def tolerances(self) -> dict[int, str]:
        """Kind of each geometric tolerance."""
        return {number: found[1] for number, text in self.statements.items() if (found := KIND.search(text))}

    def measure(self, number: int) -> float:
        """The number of a measure."""
        found = re.search(r"_MEASURE\(\s*([-+\d.Ee]+)\s*\)", self.statements[number])
        assert found
        return float(found[1])

    def magnitude(self, tolerance: int) -> float:
        """The value of a tolerance."""
        found = re.search(r"\('(?:[^']|'')*',\s*(?:'(?:[^']|'')*'|\$),\s*#(\d+)", self.statements[tolerance])
        assert found
        return self.measure(int(found[1]))

    @cached_property
    def nominals(self) -> dict[int, float]:
        """Value of each dimension that has one."""
        found = {}
        for text in self.statements.values():
            link = re.match(r"DIMENSIONAL_CHARACTERISTIC_REPRESENTATION\(\s*#(\d+),\s*#(\d+)\)", text)
            items = re.findall(r"#(\d+)", self.statements[int(link[2])].rpartition(",")[0]) if link else []
            for item in map(int, items):
                if link and "'nominal value'" in self.statements[item]:
                    found[int(link[1])] = self.measure(item)
        return found

    def datum_letters(self, tolerance: int) -> str:
        """`A|B-C` of the datum system of a tolerance."""
        lists = re.findall(r"\(#(\d+)\)", self.statements[tolerance])
        found = next((self.statements[int(n)] for n in lists if "DATUM_SYSTEM(" in self.statements[int(n)]), None)
        if found is None:
            return ""
        compartments = re.findall(r"#(\d+)", found.rpartition("(")[2])
        return "|".join(self._compartment(int(number)) for number in compartments)

    def _compartment(self, number: int) -> str:
        text = self.statements[number]
        if "COMMON_DATUM_LIST" in text:
            elements = re.findall(r"#(\d+)", text.partition("COMMON_DATUM_LIST")[2])
            return "-".join(self._compartment(int(element)) for element in elements)
        letters = [
            found[1]
            for reference in re.findall(r"#(\d+)", text)
            if (found := re.match(r"DATUM\(.*'([^']*)'\s*\)", self.statements[int(reference)]))
        ]
        return letters[0]
