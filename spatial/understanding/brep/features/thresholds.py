"""Where one word ends and the next begins, each with its reason."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Final

WHOLE_TURN: Final = radians(359.0)
"""Least turn of a wall that is a whole circle; the rest is rounding at crossings."""

MORE_THAN_HALF: Final = radians(185.0)
"""Least turn of a wall that a drill made and something else cut open; a slot's end is half a turn, a corner less."""

HALF: Final = radians(170.0)
"""Least turn of the round end of a slot."""

JOINED_BY_DRILL: Final = 1.0
"""Gap between two walls of one diameter on one axis, as a part of the longer one, up to which one hole was cut through, as by a slot."""

BESIDE: Final = 0.5
"""Part of the shorter of two walls on one axis by which they overlap along it, from which they are beside each other and no hole's steps;
what a cut has left of two steps may overlap by less."""

SPOTFACE_DEPTH: Final = 0.25
"""Depth of a widening, as a part of the hole's diameter, below which it only cleans the surface: low heads are 0.55 high (ISO 7380-1)."""

COUNTERBORE_DEPTH: Final = 2.0
"""Depth of a counterbore, as a part of its diameter, up to which it is one; a deeper one is a step of a bore."""

SPOTFACE_ALLOWANCE: Final = 3.0
"""Millimetres that a spotface takes off at most: what a casting leaves for machining (ISO 8062-3, grade H up to 160 mm)."""

COUNTERSINK_DIAMETER: Final = 1.5
"""Diameter of a conical entry, as a part of that of the hole below it, from which a screw head sits in it.

Seats are at least 1.67 times as wide as the coarsest clearance hole (ISO 15065 and ISO 273), the entry of a thread at most 1.4 times as
wide as its drill (DIN 76-1: 1.05 of the major diameter)."""

COUNTERSINK_ANGLES: Final = (60.0, 82.0, 90.0, 100.0, 110.0, 120.0)
"""Degrees of the whole cone that countersinks are made in: heads have 90 (ISO 15065), 82 or 100 (ASME B18.6.3), rivets 60 to 120."""

COUNTERSINK_FIT: Final = 2.0
"""Degrees by which a seat may be off: inch heads are 80 to 82 degrees, metric ones 90 to 92."""

FLUTE: Final = cos(radians(45.0))
"""Height of a mouth below the axis of a round floor, as a part of its radius, up to which a cutter left it: a quarter turn. A flatter
floor is a curved surface."""

CHAMFER_WIDTH: Final = 0.5
"""Width of a chamfer, as a part of the narrower of the faces that it joins, up to which it is one."""

CHAMFER_ANGLES: Final = (10.0, 80.0)
"""Degrees between a chamfer and either face."""

RIB_THICKNESS: Final = 0.5
"""Thickness of a rib, as a part of its height and of its length, up to which it is one."""

DRAFT: Final = sin(radians(10.0))
"""Sine of the angle by which a wall may lean and still rise from its floor: moulds and dies have up to 5 degrees, 7 where deep."""

LEANS_MOST: Final = sin(radians(80.0))
"""Sine of the angle by which the flank of a channel or the wall of a pocket may lean at most: a V with 160 degrees between its flanks; a
flatter one is a surface that is bent."""

SPOTFACE_LEAST: Final = 0.01
"""Millimetres that a spotface takes off at least, more than the roughness of a milled face (Ra 1.6): a lower step marks an area, as that
on which a pressed-in nut sits."""

SHEET_THICKNESS: Final = 0.1
"""Thickness of a sheet, as a part of the part's size, up to which it is one."""

SHEET_AREA: Final = 0.75
"""Least part of the area of a sheet that has the other side at its thickness."""

TURNED_AREA: Final = 0.8
"""Least part of a turned part's area that is round about its axis, or at right angles to it and round."""

THREAD_LEAD: Final = 1.0
"""Lead of a thread, as a part of its major diameter, up to which it is one; flutes of drills have more than 3, helical gears more still."""

THREAD_DEPTH: Final = (0.2, 1.0)
"""Depth of a thread, as a part of its pitch: 0.5 of trapezoidal, 0.54 to 0.61 of metric, 0.87 of buttress (ISO 2904, 68-1, DIN 513)."""

THREAD_FIT: Final = 1e-2
"""Part of the lead, or radians, within which the axes and leads of faces are those of one thread; each is found from its own face."""

THREAD_START: Final = 0.08
"""Part of the lead by which two ridges are apart that are two starts; more than eight starts are not told apart."""
