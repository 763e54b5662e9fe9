"""The kernel's exceptions, which have a common class in C++ but none in Python."""

from __future__ import annotations

from typing import Final

from OCP import BRepExtrema, Geom, Geom2d, GProp, LProp, Standard, StdFail, TopoDS, gp, math

_MODULES: Final = (BRepExtrema, Geom, Geom2d, GProp, LProp, Standard, StdFail, TopoDS, gp, math)
"""Those that measuring, checking, sewing and meshing call."""

KERNEL_ERRORS: Final[tuple[type[Exception], ...]] = tuple(
    kind
    for module in _MODULES
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Exception) and kind is not Standard.Standard_OutOfMemory
)
"""What the kernel raises over geometry or topology that it cannot handle."""
