"""The kernel's process-wide switches: silence, and the parameters of its translators.

The kernel prints to standard output by default, and keeps its translators' parameters in one table for the process. A
converter child reads one file, so the switches affect no other.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from OCP.DE import DE_ShapeFixParameters
from OCP.IGESCAFControl import IGESCAFControl_Reader
from OCP.IGESControl import IGESControl_Controller
from OCP.Interface import Interface_Static
from OCP.Message import Message
from OCP.Resource import Resource_DataMapOfAsciiStringAsciiString
from OCP.STEPCAFControl import STEPCAFControl_Reader
from OCP.STEPControl import STEPControl_Controller
from OCP.TCollection import TCollection_AsciiString
from OCP.TDocStd import TDocStd_Document

from spatial.errors import ParseError

CROWDED: Final = 300
"""Boundaries of a face up to which the kernel repairs crossings of and between them.

It takes the face apart for each boundary and compares each with each other one: 0.2 s for 300, 130 s for 6,000.
"""

CROSSINGS: Final = ("FixShape.FixSelfIntersectionMode", "FixShape.FixIntersectingWiresMode")
"""Repairs of boundaries that cross themselves or each other."""
BOUNDARIES: Final = (*CROSSINGS, "FixShape.FixOrientationMode")
"""Those, and of boundaries that run the wrong way round: a third of the time of a translation, in which most files need none."""
SOLIDS: Final = (*BOUNDARIES, "FixShape.FixSameParameterMode", "FixShape.FixSolidMode")
"""Those, and all repairs of solids, which also add the curves of edges on faces that a file does not state: half of what is left.

`pcurves` adds those curves, and exchanges those of seams, without them.
"""


def prepare(**parameters: str | int) -> None:
    """Silence the kernel and set translator parameters; a dot in a name is written as two underscores."""
    silence()
    STEPControl_Controller.Init_s()
    IGESControl_Controller.Init_s()
    for name, value in {"xstep__cascade__unit": "MM", **parameters}.items():
        dotted = name.replace("__", ".")
        done = (
            Interface_Static.SetCVal_s(dotted, value)
            if isinstance(value, str)
            else Interface_Static.SetIVal_s(dotted, value)
        )
        if not done:
            raise ValueError(f"the kernel does not take {value!r} for {dotted}")


def silence() -> None:
    """Take the kernel's messages off standard output."""
    messenger = Message.DefaultMessenger_s()
    # A loop over them would end by an exception of C++, which takes a millisecond.
    while messenger.Printers().Size():
        messenger.RemovePrinter(messenger.Printers().First())


def transfer(
    reader: STEPCAFControl_Reader | IGESCAFControl_Reader,
    document: TDocStd_Document,
    file_name: str,
    without: Collection[str] = (),
) -> None:
    """Turn what was read into shapes.

    without: repairs that are left out, by the names of their parameters.
    Raises: ParseError where the kernel fails.

    The kernel's exceptions have no common class in Python; their modules distinguish them from errors of this code.
    """
    before = _copy(reader.GetShapeFixParameters())
    if without:
        _leave_out(reader, without)
    try:
        reader.Transfer(document)
    except Exception as error:
        if not type(error).__module__.startswith("OCP"):
            raise
        reason = type(error).__name__.rpartition("_")[2]
        raise ParseError(
            f"{file_name}: its entities do not make a shape (the kernel stopped with {reason}); export it again",
            details={"phase": "transfer"},
        ) from error
    finally:
        reader.SetShapeFixParameters(before)  # the readers of IGES files of a process share them


def forget(reader: STEPCAFControl_Reader) -> None:
    """Drop what was made of a file and keep what was read of it: the next transfer makes everything again."""
    reader.Reader().WS().InitTransferReader(0)


def _copy(parameters: Resource_DataMapOfAsciiStringAsciiString) -> Resource_DataMapOfAsciiStringAsciiString:
    copied = Resource_DataMapOfAsciiStringAsciiString()
    copied.Assign(parameters)
    return copied


def _leave_out(reader: STEPCAFControl_Reader | IGESCAFControl_Reader, repairs: Collection[str]) -> None:
    """Switch repairs off; all others stay as they are by default."""
    reader.SetShapeFixParameters(DE_ShapeFixParameters())
    parameters = _copy(reader.GetShapeFixParameters())
    for name in repairs:
        parameters.UnBind(TCollection_AsciiString(name))
        parameters.Bind(TCollection_AsciiString(name), TCollection_AsciiString("0"))
    reader.SetShapeFixParameters(parameters)
