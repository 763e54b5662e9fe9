"""Addresses as they stand under the name of a company: street and town, telephone, mail and web."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from spatial.knowledge.value_forms import GENERAL_TOLERANCE, MAIL, has_digit

WEB: Final = re.compile(r"(?:https?://|www\.)([\w.-]+\.[a-z]{2,})(?:/\S*)?", re.IGNORECASE)
HOST: Final = re.compile(r"(?:https?://)?((?:[a-z\d-]+\.)+[a-z]{2,})(?:/\S*)?", re.IGNORECASE)
_TELEPHONE: Final = re.compile(r"(?:[^\W\d]{1,10}[.:]*\s*|(?=[+(]))\+?\(?\d[\d\s()./-]{5,}\d")
_REGION: Final = re.compile(
    r".+,\s*(?:[A-Z]{2}\.?\s+\d{5}(?:-\d{4})?|(?:[A-Z]{1,2}-)?\d{4,5}\s+[A-ZÄÖÜÉ][^\W\d_]{2,}(?:[ -][^\W\d_]+)?)"
)
""" "TUCSON, AZ 85721": town, state and ZIP code (USPS Publication 28); "Gasse 1, 8093 Zürich": street, postal code and town (UPU S42)."""
_TELEPHONE_DIGITS: Final = 7
WORD: Final = re.compile(r"[^\W\d_]{3,}")


def is_host(text: str, hosts: Sequence[str]) -> bool:
    """Whether the words of `text`, no address and without figures, stand in one of `hosts`."""
    words = "".join(WORD.findall(text.casefold()))
    return bool(words) and "." not in text and not has_digit(text) and any(words in host for host in hosts)


def without_addresses(line: str) -> str:
    """A line with a name without the e-mail and web addresses behind it."""
    words = line.split()
    while len(words) > 1 and (MAIL.fullmatch(words[-1]) or WEB.fullmatch(words[-1])):
        words.pop()
    return " ".join(words)


def is_address(text: str) -> bool:
    """Whether `text` is an address and nothing else: a telephone number, an e-mail or web address, a postal code behind a region."""
    telephone = _TELEPHONE.fullmatch(text) is not None and sum(map(str.isdigit, text)) >= _TELEPHONE_DIGITS
    return telephone or any(form.fullmatch(text) is not None for form in (WEB, MAIL, _REGION))


def is_address_alone(text: str) -> bool:
    """Whether an address stands in `text`, and neither a deviation nor a standard: figures of it are no tolerances."""
    return holds_address(text) and "\u00b1" not in text and GENERAL_TOLERANCE.search(text) is None


def holds_address(text: str) -> bool:
    """Whether a telephone number, an e-mail or a web address stands in `text`."""
    found = _TELEPHONE.search(text)
    telephone = found is not None and sum(map(str.isdigit, found[0])) >= _TELEPHONE_DIGITS
    return telephone or any(form.search(text) is not None for form in (WEB, MAIL))
