"""Which characters are Chinese ones or kana."""

from __future__ import annotations

from typing import Final

PLAIN: Final = frozenset("一二三十丨口囗日曰目田工土士王干千人入八大小ニハロエトイノメ丁上下山凸凹中回申由甲")
"""Ideographs that parts of views look like."""


def is_ideograph(sign: str) -> bool:
    """Whether a character is a Chinese one or kana."""
    return "\u3005" <= sign <= "\u3007" or "\u3041" <= sign <= "\u30fe" or "\u3400" <= sign <= "\u9fff"
