"""The objectives that arrange objects: pack into a container, least height, least footprint, fewest shelves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from spatial.counting import listed
from spatial.reasoning.optimization.outcome import Outcome
from spatial.reasoning.optimization.present import Present, footprint_area, inside, present
from spatial.reasoning.optimization.setting import Setting
from spatial.reasoning.optimization.subjects import Move, Subject, moved
from spatial.reasoning.packing import bounds, container, rectangle, shelves, strip
from spatial.reasoning.packing.bounds import Bound
from spatial.reasoning.packing.boxes import ROTATIONS, Array, Item, Placed

TOO_LARGE = "it is larger than the container in every quarter turn that is allowed; other turns were not tried"
NO_PLACE = "no place was found for it"


def pack(setting: Setting) -> Outcome:
    """As much volume as possible in the container; area where all objects are flat."""
    size = _bin(setting, setting.container.size)
    items = _items(setting)
    found = container.pack(
        items, size, setting.reach, seed=setting.seed, supported=setting.supported,
        work=int(container.WORK * setting.effort),
    )  # fmt: skip
    now = present(setting)
    volumes = np.array([item.worth for item in items])
    within = inside(now.boxes, setting)
    packed = [placed.item for placed in found.placed]
    left = [
        (item.id, NO_PLACE if bounds.fits(item, size, setting.reach) else TOO_LARGE)
        for place, item in enumerate(items)
        if place not in packed
    ]
    reason = "no object fits the container in a quarter turn that is allowed; other turns were not tried"
    return Outcome(
        "packed_area" if setting.flat else "packed_volume", _power(setting, 2 if setting.flat else 3), "most",
        float(volumes[within].sum()) if now.is_valid else None, now.faults,
        float(volumes[packed].sum()) if packed else None, _moves(setting, found.placed),
        _packed_bound(setting, items, volumes, size), found.tried, tuple(left),
        refusal=None if packed else ("infeasible", reason),
        extra={"packed": len(packed), "filled": float(volumes[packed].sum()) / float(np.prod(setting.container.size))},
    )  # fmt: skip


def height(setting: Setting) -> Outcome:
    """The least height over the base of the container."""
    base, items = setting.container.size[:2] + setting.gap, _items(setting)
    now = present(setting)
    outside = _outside(setting, now)
    low, high = now.boxes[:, 0, 2].min(), now.boxes[:, 1, 2].max()
    before = float(high - low) if now.is_valid and not outside else None
    bound = bounds.least_height(items, base, setting.reach)
    found = strip.pack_strip(
        items, base, setting.reach, seed=setting.seed, supported=setting.supported, least=bound.value,
        work=int(strip.WORK * setting.effort),
    )  # fmt: skip
    net = Bound(bound.value - setting.gap, bound.reason)
    after = None if found is None else found.height - setting.gap
    return Outcome(
        "height", setting.units, "least", before, now.faults + outside, after,
        _moves(setting, found.placed if found else ()), net, found.tried if found else 0,
        refusal=_limited(setting, after, net) if found else ("infeasible", _too_large(setting, items)),
    )  # fmt: skip


def footprint(setting: Setting) -> Outcome:
    """The least rectangle on which all objects stand side by side; the least depth where the goal gives a width."""
    items = [_flattened(item) for item in _items(setting)]
    now = present(setting)
    if setting.width is not None:
        return _depth(setting, items, now)
    found = rectangle.pack_rectangle(
        items, setting.reach, setting.gap, seed=setting.seed, work=int(strip.WORK * setting.effort)
    )
    net = sum(float((item.sizes[:, [0, 2]] - setting.gap).prod(axis=1).min()) for item in items)
    return Outcome(
        "footprint_area", _power(setting, 2), "least", footprint_area(setting.subjects) if now.is_valid else None,
        now.faults, found.area, _moves(setting, _raised(found.placed, setting)), Bound(net, "area"), found.tried,
        extra={"size": found.size},
    )  # fmt: skip


def _depth(setting: Setting, items: Sequence[Item], now: Present) -> Outcome:
    width = float(setting.width or 0.0)
    base = np.array([width + setting.gap, 1.0])
    bound = bounds.least_height(items, base, setting.reach)
    found = strip.pack_strip(
        items, base, setting.reach, seed=setting.seed, least=bound.value, work=int(strip.WORK * setting.effort)
    )
    lower, upper = now.boxes[:, 0].min(axis=0), now.boxes[:, 1].max(axis=0)
    is_inside = upper[0] - lower[0] <= width + setting.reach
    net = Bound(bound.value - setting.gap, "area" if bound.reason == "volume" else bound.reason)
    faults = now.faults + (() if is_inside else ("the objects reach over more than goal.width",))
    return Outcome(
        "depth", setting.units, "least", float(upper[1] - lower[1]) if not faults else None, faults,
        None if found is None else found.height - setting.gap,
        _moves(setting, _raised(found.placed if found else (), setting)), net,
        found.tried if found else 0, refusal=None if found else ("infeasible", _too_large(setting, items)),
    )  # fmt: skip


def shelf(setting: Setting) -> Outcome:
    """The fewest equal shelves on which all objects stand side by side."""
    items = _items(setting)
    size = _bin(setting, setting.container.size, open_height=float(sum(item.sizes.max() for item in items)))
    found = shelves.pack_shelves(items, size, setting.reach, seed=setting.seed, work=int(shelves.WORK * setting.effort))
    now = present(setting)
    levels = _levels(setting, now)
    faults = now.faults + (() if levels else ("the objects do not stand on shelves of this size",))
    return Outcome(
        "shelves", "count", "least", None if faults else float(levels), faults,
        None if found is None else float(found.shelves), _moves(setting, found.placed if found else ()),
        bounds.least_bins(items, size, setting.reach), found.tried if found else 0,
        refusal=None if found else ("infeasible", _too_large(setting, items, size)),
        extra={} if found is None else {"last_width": found.last_width - setting.gap},
    )  # fmt: skip


def _levels(setting: Setting, now: Present) -> int:
    """The number of heights on which the objects stand; 0 if those of one height do not fit a shelf."""
    bottoms = now.boxes[:, 0, 2]
    order = np.argsort(bottoms, kind="stable")
    groups = np.cumsum(np.append(0, np.diff(bottoms[order]) > 10 * setting.reach))
    for group in range(int(groups[-1]) + 1):
        boxes = now.boxes[order[groups == group]]
        extent = boxes[:, 1].max(axis=0) - boxes[:, 0].min(axis=0)
        if (extent[: len(setting.container.size)] > setting.container.size + setting.reach).any():
            return 0
    return int(groups[-1]) + 1


def _items(setting: Setting) -> list[Item]:
    return [_item(setting, subject) for subject in setting.subjects]


def _item(setting: Setting, subject: Subject) -> Item:
    sizes = setting.padded(np.array([pose.size for pose in subject.poses]))
    levels = np.array([pose.level for pose in subject.poses])
    if setting.flat:
        return Item(subject.id, sizes, levels, subject.footprint).within(ROTATIONS.index("z"))
    return Item(subject.id, sizes, levels, subject.volume)


def _bin(setting: Setting, size: Array, open_height: float = 1.0) -> Array:
    """(3,) the container with the gap, which is between objects only; flat objects are 1 high."""
    found = np.append(size[:2] + setting.gap, open_height)
    if len(size) == 3 and not setting.flat:
        found[2] = size[2] + setting.gap
    return found


def _packed_bound(setting: Setting, items: Sequence[Item], volumes: Array, size: Array) -> Bound:
    room = float(np.prod(setting.container.size[: 2 if setting.flat else 3]))
    fitting = float(sum(volumes[place] for place, item in enumerate(items) if bounds.fits(item, size, setting.reach)))
    return Bound(fitting, "all items") if fitting <= room else Bound(room, "volume")


def _flattened(item: Item) -> Item:
    """The item for a packing whose height is the depth of the footprint: its y becomes z, and it is 1 deep."""
    sizes = np.stack([item.sizes[:, 0], np.ones(len(item.sizes)), item.sizes[:, 1]], axis=1)
    return Item(item.id, sizes, item.levels, item.worth)


def _raised(placed: Iterable[Placed], setting: Setting) -> list[Placed]:
    """Placements of flattened items, as they stand on the floor."""
    order = [0, 2, 1]
    floor = np.array([1.0, 1.0, 0.0])
    return [Placed(each.item, each.choice, each.lower[order] * floor, each.upper[order], each.bin) for each in placed]


def _moves(setting: Setting, placed: Iterable[Placed]) -> tuple[Move, ...]:
    frame, corner = setting.container.frame, setting.container.corner
    found = [moved(setting.subjects[each.item], each.choice, corner + each.lower, frame, each.bin) for each in placed]
    order = {subject.id: place for place, subject in enumerate(setting.subjects)}
    return tuple(sorted(found, key=lambda move: order[move.id]))


def _outside(setting: Setting, now: Present) -> tuple[str, ...]:
    """A sentence about the first object that reaches out of the container."""
    out = np.flatnonzero(~inside(now.boxes, setting))
    return (f"{setting.subjects[int(out[0])].id} reaches out of the container",) if len(out) else ()


def _limited(setting: Setting, after: float | None, bound: Bound) -> tuple[str, str] | None:
    """The refusal where the container has a height that was not reached."""
    if after is None or len(setting.container.size) < 3 or setting.container.source == "present extent":
        return None
    most = float(setting.container.size[2])
    if after <= most + setting.reach:
        return None
    if bound.value > most + setting.reach:
        return (
            "infeasible",
            f"the least height is {bound.value:g} by the bound of {bound.reason}, the container's {most:g}",
        )
    return "unknown", f"the lowest arrangement found is {after:g} high, the container {most:g}; raise goal.effort"


def _too_large(setting: Setting, items: Sequence[Item], size: Array | None = None) -> str:
    room = np.append(setting.container.size[:2] + setting.gap, np.inf) if size is None else size
    if setting.width is not None:
        room = np.array([setting.width + setting.gap, np.inf, np.inf])
    names = [item.id for item in items if not bounds.fits(item, room, setting.reach)]
    return f"{listed(names, 5)}: larger than the room in every quarter turn that is allowed; other turns were not tried"


def _power(setting: Setting, power: int) -> str:
    return f"{setting.units}^{power}"
