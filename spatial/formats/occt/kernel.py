"""The kernel's process-wide switches: silence, and the parameters of its translators.

The kernel prints to standard output by default, and keeps its translators' parameters in one table for the process. A
converter child reads one file, so the switches affect no other.
"""

from __future__ import annotations

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
    for printer in list(messenger.Printers()):
        messenger.RemovePrinter(printer)


def leave_self_intersections(reader: STEPCAFControl_Reader) -> None:
    """Have the transfer repair all that it usually repairs, but outlines that cross themselves."""
    reader.SetShapeFixParameters(DE_ShapeFixParameters(), Resource_DataMapOfAsciiStringAsciiString())
    # Further parameters do not replace those that are set, so the whole table is changed and set again.
    parameters = reader.GetShapeFixParameters()
    mode = TCollection_AsciiString("FixShape.FixSelfIntersectionMode")
    parameters.UnBind(mode)
    parameters.Bind(mode, TCollection_AsciiString("0"))
    reader.SetShapeFixParameters(parameters)


def transfer(reader: STEPCAFControl_Reader | IGESCAFControl_Reader, document: TDocStd_Document, file_name: str) -> None:
    """Turn what was read into shapes. Raises: ParseError where the kernel fails.

    The kernel's exceptions have no common class in Python; their modules distinguish them from errors of this code.
    """
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
