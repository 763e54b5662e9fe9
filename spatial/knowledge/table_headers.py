"""The words that head the columns of tables, and what kind of table a row of such words makes.

Glossary
  concept   what a column holds, whatever the language calls it: item, quantity, name, revision, …
  kind      bom, revisions, hole table, bend table, tolerance table.

Source: ASME Y14.34 (parts lists), ASME Y14.35 (revisions), ISO 7573 (item lists), DIN 6771, GOST 2.106, exporters' templates.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from types import MappingProxyType
from typing import Final

_WORDS: Final = {
    "item": """
        item; item no; item nr; item num; item number; item id; pos; pos no; pos nr; position; positions nr; posn; no; nr; num;
        n; n°; nº; №; #; find; find no; find number; fn; f n; f/n; find num; lfd nr; lfd; lfd no; rep; repere; rep no; marque;
        mark; mark no; bal; balloon; balloon no; seq; seq no; it; it no; itm; elemento; elem; id; index; key; key no; key number; pc no; pz;
        posizione; pos n; posicion; marca; n pos; nr crt; ref; ref no; ref nr; callout; tag; поз; позиция; sl no; s no; sr no;
        lp; part item; line; detail no; det; det no; dtl
    """,
    "quantity": """
        qty; q ty; qnty; qtty; quantity; quant; quan; qty req; qty req d; qty reqd; qty required; quantity required; req; req d;
        reqd; no req; no req d; no reqd; required; no off; number off; off; nr off; pcs; pc; pieces; piece; amount; count; total
        qty; qty total; qty per; qty each; ea; qty per assy; qty assy; qty pcs; item qty; menge; stuck; stk; stuckzahl; stck;
        anzahl; anz; qte; quantite; nombre; nb; nbr; nbre; nombres; qta; q ta; quantita; n pezzi; cantidad; cant; cdad; ctd;
        can; qtde; quantidade; unidades; uds; aantal; antal; kol; кол; количество; колво; кол во; ilosc; kpl
    """,
    "name": """
        description; descr; desc; descrip; name; part name; item name; component; component name; part; parts; part description;
        item description; title; title name; document name; designation; nomenclature; nomenclature or description; nomenclature
        description; description nomenclature; denomination; bezeichnung; benennung; gegenstand; teil; teilebenennung;
        teilebezeichnung; artikelbezeichnung; libelle; denominacion; descripcion; nombre pieza; nombre de pieza; denominazione;
        descrizione; descricao; designacao; omschrijving; benamning; beschreibung; наименование; nazwa; part title; object;
        product; product name; article; nom; pieza; pezzo; particolare; document title; parts name; name of part
    """,
    "part_number": """
        part number; part no; part nr; part num; part id; part code; p n; pn; p/n; part; partno; partnumber; number; part or
        identifying no; part or identifying number; identifying number; ident; ident no; ident nr; identnummer; drawing no;
        drawing number; drawing; dwg no; dwg number; dwg; dwg nr; drg no; drg; stock no; stock number; stocknumber; order no;
        catalog no; catalogue no; cat no; item code; model no; model; code; code no; mfr part no; mfg part no; mfg pn; mfr pn;
        manufacturer part number; vendor part no; vendor pn; vendor part number; supplier part number; mpn; component no;
        document number; doc no; document no; sachnummer; sach nr; sachnr; teilenummer; teile nr; teilenr; teil nr; teilnr;
        artikelnummer; artikel nr; artikelnr; art nr; art no; zeichnungsnummer; zeichnungs nr; zeichnungsnr; zeichn nr; zchng
        nr; zg nr; bestellnummer; best nr; norm sachnummer; sachnummer norm; sachnummer norm kurzbezeichnung; reference; n plan;
        numero de plan; no plan; plan; no de plan; numero; numero article; code article; codice; cod; n disegno; disegno; numero
        disegno; codigo; cod articulo; numero de pieza; n de pieza; n pieza; numero de parte; no de parte; n plano; plano;
        referencia; обозначение; numer; nr rysunku; artikel; sku; file name; filename; file; part file; part ref
    """,
    "material": """
        material; matl; mat l; mat; materials; material spec; material specification; specification; spec; werkstoff;
        materialangabe; halbzeug; matiere; materiau; materiaux; materiale; materia; материал; material type; stock; raw
        material; materiaal; werkstoff halbzeug; material finish
    """,
    "remark": """
        remark; remarks; note; notes; comment; comments; bemerkung; bemerkungen; bem; anmerkung; remarque; remarques;
        observation; observations; obs; observaciones; osservazioni; nota; annotazioni; hinweis; примечание; прим; uwagi;
        standard; norm; normblatt; norme; norma; din; din iso; info; details; reference designator; ref des; refdes; usage;
        function; location
    """,
    "weight": """
        weight; wt; mass; gewicht; gew; masse; kg; poids; peso; massa; масса; weight kg; mass kg; unit weight; unit mass; weight
        lbs; gewicht kg; masse kg; poids kg; peso kg; kg st; unit wt; total weight; total mass; gesamtgewicht; weight g; mass g
    """,
    "further": """
        length; lg; lange; longueur; longitud; lunghezza; size; dimension; dimensions; abmessung; abmessungen; masse mm; grosse;
        vendor; supplier; manufacturer; mfr; mfg; maker; hersteller; lieferant; fournisseur; proveedor; fornitore; finish;
        coating; treatment; surface; oberflache; heat treatment; unit; units; uom; um; u m; einheit; einh; me; unite; unidad;
        thk; thickness; width; dia; diameter; cost; price; type; typ; tipo; format; формат; level; cage; cage code; fscm; make
        buy; color; colour; farbe; group; assy; assembly; category; source; status; state; process; hardness; grade; class; cut
        length; angle; stock size; profile; blank
    """,
    "revision": """
        rev; revs; revision; revisions; rev no; rev nr; rev num; rev index; revision no; revision nr; revision number; revision
        index; index; ind; indice; indice rev; ver; version; issue; iss; issue no; ltr; let; letter; symbol; sym; symb; ausgabe;
        and; anderungsindex; and index; ae; aend; revisione; revis; edition; ed; edizione; zust; zustand; mod; no mod; n mod;
        изм; изменение; edicion; rev level; rev ltr; revision letter; mark; tag; no; nr; n; nr anderung; wydanie; zmiana;
        utgave; rev id; pos; alt; alteration
    """,
    "change": """
        description of change; description of changes; description of revision; description of revisions; revision description;
        rev description; change description; revision; revisions; revision no; revision record; change; changes; change made;
        changes made; modification; modifications; modif; nature of change; nature de la modification; nature des modifications;
        objet; objet de la modification; designation de la modification; libelle de la modification; modifica; modifiche;
        descrizione modifica; modificacion; modificaciones; descripcion de la modificacion; descripcion del cambio; cambio;
        anderung; anderungen; aenderung; art der anderung; anderungsbeschreibung; beschreibung der anderung; beschreibung;
        reason; reason for change; grund; revision note; revision notes; revision history; history; record of change; записи;
        amendment; amendments; alteration; alterations; zmiany; mitteilung
    """,
    "description": """
        description; descr; desc; descrip; details; remarks; comment; comments; bemerkung; note; notes; designation;
        bezeichnung; libelle; descripcion; descrizione; beschreibung; text; subject; descricao; omschrijving; observations;
        title; remark; content
    """,
    "date": """
        date; datum; fecha; data; дата; dat; rev date; revision date; change date; date of issue; issue date; date d m y; date
        dd mm yy; date dd mm yyyy; date yyyy mm dd; date mm dd yy; day; tag; dato; pvm; date of change; datum name
    """,
    "by": """
        by; rev by; revised by; changed by; drawn; drawn by; dwn; drn; dr; dr by; drw; name; author; auteur; bearb; bearbeiter;
        bearbeitet; gez; gezeichnet; geandert; erstellt; dessine; dessine par; dessinateur; par; etabli; etabli par; dibujado;
        dibujado por; por; realizado; disegnato; disegnatore; firma; redatto; sign; signature; signed; initials; init; visa;
        visto; nom; nombre; nome; eng; engineer; подпись; подп; issued by; made by; modified by; edited by; user; designer;
        resp; done by; da
    """,
    "approved": """
        approved; approved by; appr; appr by; appd; app d; apprvd; appvd; apvd; app; app by; approval; approvals; aprvd; chk;
        chk d; chkd; ckd; check; checked; checked by; chk by; checker; gepr; gepruft; freigabe; freigegeben; freig; verifie;
        verifie par; approuve; approuve par; controle; aprobado; aprobado por; verificado; revisado; approvato; controllato;
        verificato; reviewed; reviewed by; release; released; norm gepr; auth; authorized; authorised
    """,
    "ecn": """
        eco; eco no; eco number; ecn; ecn no; ecn nr; ecn number; eco ecn; ecr; ecr no; ecp; cn; cn no; co; co no; change no;
        change number; change order; change notice; change request; change order no; dcn; dcn no; dcr; dco; er; ecm; pcn;
        anderungs nr; anderungsnr; anderungsnummer; aenderungs nr; and nr; aend nr; mitteilungs nr; anderungsmitteilung; no dm;
        n ordine; № докум; n докум; докум; order; ref ecn; job
    """,
    "zone": "zone; zones; zona; feld; loc; grid; area; sheet zone; blatt feld; zona foglio",
    "sheet": "sheet; sheets; sh; sht; blatt; bl; feuille; folio; hoja; foglio; лист; page; seite; sheet no; pg",
    "hole": """
        hole; hole no; hole id; tag; label; hole tag; hole label; bohrung; bohrungs nr; loch; percage; agujero; foro; trou;
        etiquette
    """,
    "x": "x; x loc; xloc; x pos; x location; x dim; x dimension; x coord; coord x; x mm; pos x; x position; x axis; xdim",
    "y": "y; y loc; yloc; y pos; y location; y dim; y dimension; y coord; coord y; y mm; pos y; y position; y axis; ydim",
    "bend": """
        bend; bend id; bend no; bend tag; biegung; biegung nr; pli; piega; pliegue; biegeteil; bend seq; bend order; sequence;
        biegungsnotiz; tag; sequence feature
    """,
    "bend_angle": """
        angle; bend angle; winkel; biegewinkel; direction; bend direction; richtung; biegerichtung; radius; bend radius;
        biegeradius; inner radius; inside radius; bend allowance; k factor; k-factor; rayon; raggio; radio; r
    """,
}

_WHOLE: Final = re.compile(
    r"bill of materials?|parts? list|list of (parts|materials?)|material list|item list|b ?o ?m|components?( list)?|"
    r"schedule of (parts|materials)|stuckliste|teileliste|nomenclature|liste des pieces|lista de (materiales|partes|piezas)|"
    r"distinta( base)?( materiali)?|elenco (parti|componenti)|спецификация"
)
_CHANGES: Final = re.compile(
    r"(engineering )?revisions?( history| table| record| block| list)?|change (history|record|log)|changes?|record of changes|"
    r"anderungen|anderungshistorie|modifications?|historique( des modifications| des revisions)?|revisiones|revisioni|modifiche|"
    r"modificaciones|amendments?|alterations?"
)

_OWN: Final = {
    "title block": """
        scale; massstab; echelle; escala; scala; projection; third angle projection; first angle projection; tolerances;
        tolerance; general tolerances; toleranzen; sheet size; surface roughness; do not scale drawing; drawn by; checked by;
        approved by; designed by; drawn; checked; designed; approved; issued; legal owner; responsible dept; created by;
        document type; document status; unless otherwise specified; size; cage code; dwg no; next assy; used on; application;
        project; customer; client; company; masstab; checker; q a; mfg; mfg appr; eng appr; chk d; appv d; appvd; chkd; contr; t
        contr; gezeichnet; gepruft; bearb; gepr; norm; разраб; пров; н контр; утв; т контр; masse; title; of sheets; model
    """,
    "gear data": """
        module; number of teeth; teeth; no of teeth; pressure angle; helix angle; pitch diameter; diametral pitch; addendum;
        dedendum; base circle; base diameter; outside diameter; root diameter; circular pitch; tooth thickness; modul;
        normalmodul; zahnezahl; eingriffswinkel; schragungswinkel; teilkreisdurchmesser; profilverschiebung; profile shift;
        profile shift coefficient; nombre de dents; angle de pression; numero di denti; modulo; numero de dientes; face width;
        gear type; tooth form; hand of helix; lead angle; whole depth; zahnbreite; span measurement; measurement over pins;
        pitch; tooth profile
    """,
    "spring data": """
        wire diameter; free length; spring rate; number of coils; active coils; total coils; mean diameter; solid height;
        direction of coils; direction of winding; drahtdurchmesser; windungszahl; federrate; spring constant; end type; diametre
        du fil; nombre de spires; load at
    """,
}

_NOISE: Final = re.compile(r"[\s.,:;'’´`\"()\[\]_\-–—]+")


def normal(text: str) -> str:
    """`text` as the vocabulary is written: small letters without accents, marks as single spaces."""
    bare = "".join(
        c
        for c in unicodedata.normalize("NFD", text[:120].casefold().replace("№", " № "))
        if not unicodedata.combining(c)
    )
    return _NOISE.sub(" ", bare.replace("ß", "ss")).strip()


def _listed(words: str) -> list[str]:
    return [normal(word) or word.strip() for word in words.split(";")]


_CONCEPTS: Final = MappingProxyType(
    {
        word: frozenset(c for c, listed in _WORDS.items() if word in _listed(listed))
        for words in _WORDS.values()
        for word in _listed(words)
    }
)
_LABELS: Final = MappingProxyType({word: name for name, words in _OWN.items() for word in _listed(words)})

NOTHING: Final[frozenset[str]] = frozenset()


@lru_cache(maxsize=4096)
def concepts(text: str) -> frozenset[str]:
    """What a column headed `text` may hold; `Pos. / Item` and other many-language headings mean what any part means."""
    whole = normal(text)
    if not whole or len(text) > 80:
        return NOTHING
    known = _CONCEPTS.get(whole)
    if known is not None:
        return known
    found: frozenset[str] = NOTHING
    for part in re.split(r"[/|\n]|\s-\s|\(", text):
        found |= _CONCEPTS.get(normal(part), NOTHING)
    return found


@lru_cache(maxsize=4096)
def label(text: str) -> str | None:
    """What `text` labels if it stands beside its value: `title block`, `gear data`, `spring data`."""
    return _LABELS.get(normal(re.split(r"[/|\n:]", text, maxsplit=1)[0]))


def pure_label(text: str) -> bool:
    """Whether `text` is the label of a title block's field and nothing that heads a column."""
    return _LABELS.get(normal(text)) == "title block" and not concepts(text)


def kind_of_title(text: str) -> str | None:
    """Kind of the table that `text` is the title of."""
    plain = normal(text)
    if len(plain) > 60:
        return None
    if _WHOLE.match(plain):
        return "bom"
    return "revisions" if _CHANGES.fullmatch(plain) else None


def kind(heads: Sequence[frozenset[str]], title: str | None = None) -> str | None:
    """Kind of the table whose columns are headed so; None where it is no table that is known.

    A column stands for one concept only, so `Name` and `Date` alone are the signatures of a title block.
    """
    known = _few(heads)
    if len(known) < 2:
        return None
    told = kind_of_title(title) if title else None
    for name, choices in _SHAPES.items():
        if any(_seated(known, shape) for shape in choices):
            return name
    if told == "bom" and any(_seated(known, pair) for pair in combinations(_LISTED, 2)):
        return "bom"
    if told == "revisions" and any(
        _seated(known, (first, second))
        for first in ("revision", "change", "ecn", "description")
        for second in ("date", "by", "description")
    ):
        return "revisions"
    return None


_LISTED: Final = ("item", "quantity", "name", "part_number", "material", "remark")
_SHAPES: Final = {
    "revisions": (
        ("revision", "change", "date"),
        ("revision", "description", "date"),
        ("revision", "description", "ecn"),
        ("revision", "ecn", "date"),
        ("revision", "zone", "description"),
        ("revision", "description", "approved"),
        ("revision", "date", "by", "approved"),
        ("revision", "ecn", "by"),
        ("revision", "sheet", "by", "date"),
        ("revision", "change", "by"),
        ("change", "date", "by"),
        ("change", "date", "approved"),
        ("revision", "date", "by"),
        ("ecn", "description", "date"),
    ),
    "hole table": (("hole", "x", "y"), ("item", "x", "y"), ("x", "y", "further")),
    "bend table": (("bend", "bend_angle", "bend_angle"),),
    "bom": (
        ("item", "quantity"),
        ("quantity", "name"),
        ("quantity", "part_number"),
        ("item", "name", "part_number"),
        ("item", "name", "material"),
        ("item", "part_number", "material"),
        ("item", "name", "remark"),
        ("item", "part_number", "remark"),
        ("item", "name", "further"),
        ("name", "part_number"),
        ("item", "name"),
        ("item", "part_number"),
    ),
}
"""Concepts that make the kind, the surest first; the last three of a bill are weak and need rows that bear them out."""

REVISING: Final = frozenset(("revision", "change", "description", "date", "by", "approved", "ecn", "zone", "sheet"))
"""What columns of a revision table may hold."""

WEAK: Final = _SHAPES["bom"][-3:]


def weak(heads: Sequence[frozenset[str]]) -> bool:
    """Whether a bill is told by its weak shapes alone."""
    known = _few(heads)
    return not any(_seated(known, shape) for shape in _SHAPES["bom"][: -len(WEAK)])


def _few(heads: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """What is known of `heads`, each meaning no more often than the longest shape could need."""
    return [head for head, times in Counter(head for head in heads if head).items() for _ in range(min(times, 4))]


def _seated(heads: Sequence[frozenset[str]], shape: Iterable[str]) -> bool:
    """Whether each concept of `shape` finds a column of its own."""
    rest = list(shape)
    if not rest:
        return True
    return any(
        rest[0] in head and _seated([*heads[:place], *heads[place + 1 :]], rest[1:]) for place, head in enumerate(heads)
    )


def column_of(heads: Sequence[frozenset[str]], concept: str) -> int | None:
    """Place of the column that most likely holds `concept`: the one with the fewest other meanings, the first of those."""
    fits = [(len(head), place) for place, head in enumerate(heads) if concept in head]
    return min(fits)[1] if fits else None
