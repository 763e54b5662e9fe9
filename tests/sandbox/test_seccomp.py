"""The system-call filter as a program, for both architectures, whichever this machine is."""

from __future__ import annotations

import struct

import pytest

from sandbox import seccomp

ALLOW, REFUSE, UNKNOWN = 0x7FFF0000, 0x00050001, 0x00050026
KILL, OURSELVES, SOMEBODY = {"x86_64": 62, "aarch64": 129}, 4711, 1


def verdict(machine: str, number: int, argument: int = 0, audit: int | None = None) -> int:
    """What the filter of this architecture says: its program, run by an interpreter of classic BPF."""
    architecture = seccomp.ARCHITECTURES[machine]
    program = list(struct.iter_unpack("=HBBI", seccomp.program(architecture, OURSELVES)))
    data = struct.pack("=IIQ6Q", number, audit or architecture.audit, 0, argument, *[0] * 5)
    place = accumulator = 0
    while True:
        code, if_true, if_false, operand = program[place]
        place += 1
        if code == 0x06:
            return int(operand)
        if code == 0x20:
            (accumulator,) = struct.unpack_from("=I", data, operand)
        else:
            met = {0x15: accumulator == operand, 0x35: accumulator >= operand, 0x45: bool(accumulator & operand)}[code]
            place += if_true if met else if_false


@pytest.mark.parametrize("machine", list(seccomp.ARCHITECTURES))
@pytest.mark.requirement("converter.no-processes", "converter.no-network")
def test_the_filter_refuses_what_it_lists_and_allows_the_rest(machine: str) -> None:
    architecture = seccomp.ARCHITECTURES[machine]
    for number in (*architecture.refused.values(), *seccomp.SAME_ON_BOTH.values()):
        assert verdict(machine, number) == REFUSE
    assert verdict(machine, architecture.clone3) == UNKNOWN
    assert verdict(machine, architecture.clone, 0x10000) == ALLOW
    assert verdict(machine, architecture.clone, 0x11) == REFUSE
    assert verdict(machine, KILL[machine], OURSELVES) == ALLOW
    assert verdict(machine, KILL[machine], SOMEBODY) == REFUSE
    assert verdict(machine, architecture.prlimit, 0) == ALLOW
    assert verdict(machine, architecture.prlimit, SOMEBODY) == REFUSE
    assert verdict(machine, 500) == ALLOW


@pytest.mark.requirement("converter.no-processes", "converter.no-network")
def test_the_filter_knows_no_other_architecture() -> None:
    assert verdict("x86_64", 0, audit=0x40000003) == REFUSE
    assert verdict("x86_64", 0x40000000 + 41) == UNKNOWN
