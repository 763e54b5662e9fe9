"""PDF files whose parts stand for much more than they are, below the page: in forms, fonts, images, tables and streams of objects.

Each is made for a scale between 0 and 1. Source: ISO 32000-1; the numbers of the tables name what is exaggerated.
"""

from __future__ import annotations

import zlib
from functools import partial
from typing import Final

from siege.hostile_files.bombs import deflated
from siege.hostile_files.writers import page, scaled, stream, stream_of

STROKES: Final = b"0 0 m 9 9 l S\n"
FORM: Final = b"/Type/XObject/Subtype/Form/BBox[0 0 842 595]"
FANNED: Final = 10
"""How often each level of a fan names the one below."""

_packed = partial(deflated, b"", window=15)


def packed_form(scale: float) -> bytes:
    """A form whose content unpacks to a thousand times its size (Table 95)."""
    return _of_object(b"/X Do", stream_of(_packed(STROKES, scale=scale), FORM))


def packed_forms(scale: float) -> bytes:
    """One such form that the page draws again and again."""
    return _of_object(b"/X Do\n" * scaled(scale, 10_000), stream_of(_packed(STROKES, scale=scale / 16), FORM))


def twice_packed_form(scale: float) -> bytes:
    """A form that is packed, and packed again: a million times its size."""
    inner = _packed(STROKES, scale=scale)
    return _of_object(b"/X Do", _filtered(_twice(inner), b"[/FlateDecode/FlateDecode]", FORM))


def run_lengths(scale: float) -> bytes:
    """The same with run lengths within Flate (7.4.5)."""
    inner = b"\x81 " * scaled(scale, 8_000_000)
    return _of_object(b"/X Do", _filtered(_twice(inner), b"[/FlateDecode/RunLengthDecode]", FORM))


def predicted(scale: float) -> bytes:
    """Rows of a predictor that are as long as its numbers go (Table 8)."""
    parameters = b"/DecodeParms<</Predictor 12/Columns 2147483647/Colors 32/BitsPerComponent 16>>"
    return _of_object(b"/X Do", stream_of(_packed(STROKES, scale=scale / 64), FORM + parameters))


def fanned_forms(scale: float) -> bytes:
    """Forms that draw the next form ten times: 10^11 strokes."""
    levels = 2 + scaled(scale, 10)
    last = stream(STROKES, FORM)
    return _of_object(b"/X Do", *(_fan(number + 6) for number in range(levels)), last)


def _fan(below: int, name: bytes = b"/X", drawn: bytes = b"/X Do\n") -> bytes:
    return stream(drawn * FANNED, FORM + b"/Resources<</XObject<<%b %d 0 R>>>>" % (name, below))


def fanned_by_odd_names(scale: float) -> bytes:
    """The same by names that are no text (7.3.5)."""
    return _fanned(scale, b"/\xff\xfe", b"/#FF\xfe Do\n")


def fanned_with_operands(scale: float) -> bytes:
    """The same, with names in dictionaries and arrays between the name and its operator (7.8.2)."""
    return _fanned(scale, b"/X", b"/X <</A[/B]>> Do\n")


def _fanned(scale: float, name: bytes, drawn: bytes) -> bytes:
    forms = (_fan(number + 6, name, drawn) for number in range(2 + scaled(scale, 10)))
    resources = b"/Resources<</XObject<<%b 5 0 R>>>>" % name
    return page(drawn, resources, *forms, stream(STROKES, FORM))


def fanned_patterns(scale: float) -> bytes:
    """Tiling patterns whose tiles are filled with the next one, each in steps of a thousandth (Table 75)."""
    levels = 1 + scaled(scale, 6)
    tiles = [_tile(number + 6) for number in range(levels)]
    paint = b"/Pattern cs /P scn 0 0 842 595 re f"
    return page(paint, b"/Resources<</Pattern<</P 5 0 R>>>>", *tiles, stream(STROKES, _TILE))


_TILE = b"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep .001/YStep .001/Resources<<>>"


def _tile(below: int) -> bytes:
    resources = b"/Resources<</Pattern<</P %d 0 R>>>>" % below
    return stream(b"/Pattern cs /P scn 0 0 9 9 re f", _TILE.replace(b"/Resources<<>>", resources))


def fanned_glyphs(scale: float) -> bytes:
    """Glyphs that are written in the next font, ten each (Type 3 fonts, 9.6.5)."""
    return _written(scale, b"/F 9 Tf", b"/Resources<</Font<</F %d 0 R>>>>")


def fanned_states(scale: float) -> bytes:
    """The same, with fonts that a graphics state sets (Table 57)."""
    return _written(scale, b"/G gs", b"/Resources<</ExtGState<</G<</Font[%d 0 R 9]>>>>>>")


def fanned_wide_fonts(scale: float) -> bytes:
    """The same, with more glyphs than there are characters."""
    return _written(scale, b"/F 9 Tf", b"/Resources<</Font<</F %d 0 R>>>>", glyphs=300)


def _written(scale: float, sets: bytes, resources: bytes, glyphs: int = 0) -> bytes:
    """Glyphs that are written in fonts that an operator sets. glyphs: further ones of each font."""
    levels = 1 + scaled(scale, 8)
    fonts: list[bytes] = []
    for level in range(levels):
        at = 5 + 2 * level
        further = b"".join(b"/a%d %d 0 R" % (number, 5 + 2 * levels) for number in range(glyphs))
        fonts.append(
            b"<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.1 0 0 .1 0 0]/CharProcs<<%b/z %d 0 R>>"
            b"/Encoding<</Differences[97/z]>>/FirstChar 97/LastChar 97/Widths[9]%b>>"
            % (further, at + 1, resources % (at + 2) if level + 1 < levels else b"")
        )
        fonts.append(stream(b"9 0 d0 0 0 9 9 re f BT %b (aaaaaaaaaa) Tj ET" % sets))
    return page(b"BT %b 9 9 Td (a) Tj ET" % sets, resources % 5, *fonts, stream(b"9 0 d0"))


def fanned_masks(scale: float) -> bytes:
    """Groups that are seen through a mask, whose group is seen through ten more (11.6.5)."""
    levels = 2 + scaled(scale, 8)
    masks = [
        stream(
            b"q /G gs 0 0 9 9 re f Q\n" * FANNED,
            FORM
            + b"/Group<</S/Transparency/CS/DeviceGray>>/Resources<</ExtGState<</G<</SMask<</S/Luminosity/G %d 0 R>>"
            b">>>>>>" % (number + 6),
        )
        for number in range(levels)
    ]
    last = stream(STROKES, FORM + b"/Group<</S/Transparency/CS/DeviceGray>>")
    state = b"/Resources<</ExtGState<</G<</SMask<</S/Luminosity/G 5 0 R>>>>>>>>"
    return page(b"/G gs 0 0 99 99 re f", state, *masks, last)


def fanned_pages(scale: float) -> bytes:
    """A tree of pages whose kids are ten times the same (Table 29)."""
    levels = 2 + scaled(scale, 10)
    trees = [
        b"<</Type/Pages/Parent 2 0 R/Count 1000000000/Kids[%b]>>" % (b"%d 0 R " % (n + 6) * FANNED)
        for n in range(levels)
    ]
    last = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>"
    whole = page(STROKES, b"", *trees, last)
    return whole.replace(b"/Kids[3 0 R]/Count 1>>", b"/Kids[5 0 R]/Count 9>>")


def fanned_appearances(scale: float) -> bytes:
    """Annotations that all look like one form, which draws others (12.5.5)."""
    count, levels = scaled(scale, 20_000), 2 + scaled(scale, 5)
    annotation = b"<</Type/Annot/Subtype/Stamp/Rect[0 0 99 99]/AP<</N 5 0 R>>>>"
    forms = (_fan(number + 6) for number in range(levels))
    return page(STROKES, b"/Annots[%b]" % (annotation * count), *forms, stream(STROKES, FORM))


def inline_image(scale: float) -> bytes:
    """An inline image of 65,535 pixels a side in a few bytes (8.9.7)."""
    head = b"q 9 0 0 9 9 9 cm BI /W 65535 /H 65535 /BPC 8 /CS /RGB /F /Fl ID "
    return page(head + _packed(b"\0", scale=scale) + b" EI Q " + STROKES)


def inline_images(scale: float) -> bytes:
    """Hundreds of inline images of which none ends."""
    return page(b"BI /W 60000 /H 60000 /BPC 16 /CS /CMYK ID x " * scaled(scale, 200_000) + STROKES)


def packed_image(scale: float) -> bytes:
    """An image of 65,535 pixels a side, whose mask is another one (Table 89)."""
    entries = (
        b"/Type/XObject/Subtype/Image/Width 65535/Height 65535/BitsPerComponent 16/ColorSpace/DeviceCMYK/SMask 5 0 R"
    )
    return _of_object(b"q 9 0 0 9 0 0 cm /X Do Q\n" * 99, stream_of(_packed(b"\0", scale=scale), entries))


def packed_map(scale: float) -> bytes:
    """A font whose map to Unicode unpacks to a thousand times its size (9.10.3)."""
    ranges = b"1 beginbfrange <0000> <FFFF> <0041> endbfrange\n"
    return _of_font(stream_of(deflated(b"begincmap ", ranges, scale, 15)))


def wide_map(scale: float) -> bytes:
    """A map in which each of 65,536 characters stands for hundreds of others, again and again."""
    written = b"<" + b"0041" * 512 + b">"
    return _of_font(
        stream(b"begincmap " + b"1 beginbfrange <0000> <FFFF> %b endbfrange\n" % written * scaled(scale, 400))
    )


def fanned_maps(scale: float) -> bytes:
    """Maps that use the next one, and the last the first (`usecmap`, 9.7.5)."""
    levels = 2 + scaled(scale, 200)
    maps = [stream(b"begincmap endcmap", b"/Type/CMap/UseCMap %d 0 R" % (7 + n % levels)) for n in range(levels)]
    return _of_font(stream(b"begincmap endcmap", b"/UseCMap 7 0 R"), *maps)


def packed_font(scale: float) -> bytes:
    """An embedded font that unpacks to a thousand times its size (9.9)."""
    descriptor = b"<</Type/FontDescriptor/FontName/X/Flags 4/FontFile2 7 0 R>>"
    font = b"<</Type/Font/Subtype/TrueType/BaseFont/X/FontDescriptor 6 0 R>>"
    packed = stream_of(deflated(b"\0\1\0\0\xff\xff", b"\0", scale, 15), b"/Length1 1073741824")
    return page(_WRITTEN, b"/Resources<</Font<</F 5 0 R>>>>", font, descriptor, packed)


def packed_profile(scale: float) -> bytes:
    """A colour space whose profile unpacks to a thousand times its size (8.6.5.5)."""
    paint = b"/C cs 1 0 0 sc " + STROKES
    resources = b"/Resources<</ColorSpace<</C[/ICCBased 5 0 R]>>>>"
    return page(paint, resources, stream_of(_packed(b"\0", scale=scale), b"/N 3"))


def sampled_function(scale: float) -> bytes:
    """A colour of a table with 10^9 entries (7.10.2)."""
    function = b"/FunctionType 0/Domain[%b]/Range[%b]/Size[%b]/BitsPerSample 32" % (
        *(b"0 1 " * 8, b"0 1 " * 3),
        b"64 " * 8,
    )
    names = b"".join(b"/n%d" % number for number in range(8))
    resources = b"/Resources<</ColorSpace<</C[/DeviceN[%b]/DeviceRGB 5 0 R]>>>>" % names
    packed = stream_of(_packed(b"\0", scale=scale), function)
    return page(b"/C cs .1 .1 .1 .1 .1 .1 .1 .1 sc " + STROKES, resources, packed)


def meshes(scale: float) -> bytes:
    """A shading of a mesh that unpacks to a thousand times its size (8.7.4.5.5)."""
    mesh = b"/ShadingType 4/ColorSpace/DeviceRGB/BitsPerCoordinate 8/BitsPerComponent 8/BitsPerFlag 8/Decode[0 9 0 9 0 1 0 1 0 1]"
    shading = stream_of(_packed(b"\0\1\2\3\4\5", scale=scale), mesh)
    return page(b"/S sh", b"/Resources<</Shading<</S 5 0 R>>>>", shading)


def shadings(scale: float) -> bytes:
    """Shadings that each paint the whole page (8.7.4.5.3)."""
    function = b"<</FunctionType 2/Domain[0 1]/C0[0 0 0]/C1[1 1 1]/N 1>>"
    shading = b"<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 9 9]/Function%b>>" % function
    return page(b"/S sh\n" * scaled(scale, 100_000), b"/Resources<</Shading<</S 5 0 R>>>>", shading)


def packed_objects(scale: float) -> bytes:
    """A stream of objects that unpacks to a thousand times its size, and that extends itself (7.5.7)."""
    head = b"/Type/ObjStm/N 100000000/First 1000000000/Extends 5 0 R"
    return _referred(stream_of(_packed(b"9 0 ", scale=scale), head))


def many_objects(scale: float) -> bytes:
    """A stream of a million objects."""
    count = scaled(scale, 1_000_000)
    head = b"".join(b"%d %d " % (number + 9, 2 * number) for number in range(count))
    return _referred(stream(head + b"0 " * count, b"/Type/ObjStm/N %d/First %d" % (count, len(head))))


def packed_references(scale: float) -> bytes:
    """A stream of cross-references of 10^9 objects, whose earlier ones are itself (7.5.8)."""
    body = b"%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 1 0 R>>\nendobj\n"
    entries = b"/Type/XRef/Size 1000000000/Index[0 1000000000]/W[1 8 2]/Root 1 0 R/Prev %d" % len(body)
    table = stream_of(_packed(b"\1" + b"\0" * 10, scale=scale), entries)
    return body + b"2 0 obj\n%b\nendobj\nstartxref\n%d\n%%%%EOF\n" % (table, len(body))


def packed_metadata(scale: float) -> bytes:
    """Metadata that unpack to a thousand times their size (14.3.2)."""
    metadata = stream_of(_packed(b"<a>", scale=scale), b"/Type/Metadata/Subtype/XML")
    return page(STROKES, b"", metadata).replace(b"<</Type/Catalog", b"<</Metadata 5 0 R/Type/Catalog")


def fine_dashes(scale: float) -> bytes:
    """Lines of 10^9 dashes each (8.4.3.6)."""
    return page(b"[.0000001 .0000001] 0 d\n" + b"0 0 m 842 595 l S\n" * scaled(scale, 10_000))


def fanned_names(scale: float) -> bytes:
    """Optional content whose groups are groups of ten times the same (8.11.2.2)."""
    levels = 2 + scaled(scale, 20)
    groups = [
        b"<</Type/OCMD/P/AllOn/OCGs[%b]/VE[/And %b]>>" % (b"%d 0 R " % (n + 6) * FANNED, b"%d 0 R " % (n + 6) * FANNED)
        for n in range(levels)
    ]
    resources = b"/Resources<</Properties<</P 5 0 R>>>>"
    return page(b"/OC /P BDC " + STROKES + b"EMC", resources, *groups, b"<</Type/OCG/Name(x)>>")


_WRITTEN = b"BT /F 9 Tf 9 9 Td <0041> Tj (ABC) Tj ET\n"


def _of_object(content: bytes, *objects: bytes) -> bytes:
    """A page whose external object X is the first of these."""
    return page(content, b"/Resources<</XObject<</X 5 0 R>>>>", *objects)


def _of_font(to_unicode: bytes, *more: bytes) -> bytes:
    """A page in a font with such a map to Unicode."""
    font = b"<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/ToUnicode 6 0 R/DescendantFonts[<</Type/Font"
    font += b"/Subtype/CIDFontType2/BaseFont/X/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>]>>"
    return page(_WRITTEN, b"/Resources<</Font<</F 5 0 R>>>>", font, to_unicode, *more)


def _referred(objects: bytes) -> bytes:
    """A PDF with a stream of objects in which its table of cross-references, a stream too, places the page's content."""
    whole = page(STROKES, b"", objects)
    body = whole[: whole.index(b"xref\n")].replace(b"/Contents 4 0 R", b"/Contents 9 0 R")
    places = [body.index(b"%d 0 obj" % number) for number in range(1, 6)]
    rows = b"".join(b"\1" + place.to_bytes(8, "big") + b"\0\0" for place in places)
    packed = b"".join(b"\2" + (5).to_bytes(8, "big") + number.to_bytes(2, "big") for number in range(20_000))
    at = len(body)
    own = b"\1" + at.to_bytes(8, "big") + b"\0\0"
    entries = b"/Type/XRef/Size 20009/Index[0 1 1 5 6 1 9 20000]/W[1 8 2]/Root 1 0 R"
    table = stream(b"\0" * 11 + rows + own + packed, entries)
    return body + b"6 0 obj\n%b\nendobj\nstartxref\n%d\n%%%%EOF\n" % (table, at)


def _twice(inner: bytes) -> bytes:
    return zlib.compress(inner, 9)


def _filtered(data: bytes, filters: bytes, entries: bytes) -> bytes:
    return b"<<%b/Filter%b/Length %d>>stream\n%b\nendstream" % (entries, filters, len(data), data)


COUNTED: Final = (
    *(packed_form, packed_forms, twice_packed_form, run_lengths, fanned_forms, fanned_glyphs, fanned_masks, meshes),
    *(fanned_by_odd_names, fanned_with_operands, fanned_states, fanned_wide_fonts),
)
"""Those whose pages stand for more content than can be read within the deadline."""

BOMBS: Final = (
    *(packed_form, packed_forms, twice_packed_form, run_lengths, predicted),
    *(fanned_forms, fanned_patterns, fanned_glyphs, fanned_masks, fanned_pages, fanned_appearances, fanned_names),
    *(fanned_by_odd_names, fanned_with_operands, fanned_states, fanned_wide_fonts),
    *(inline_image, inline_images, packed_image, packed_map, wide_map, fanned_maps, packed_font, packed_profile),
    *(
        sampled_function,
        meshes,
        shadings,
        packed_objects,
        many_objects,
        packed_references,
        packed_metadata,
        fine_dashes,
    ),
)
"""All of them."""
