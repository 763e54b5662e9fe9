"""What drawing offices write: labels of title blocks and tables in five languages, and values to put beside them."""

from __future__ import annotations

from typing import Final

LABELS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "en": {
        "title": ("TITLE", "Title", "DESCRIPTION", "PART NAME"),
        "drawing_number": ("DWG. NO.", "DRAWING NO.", "DWG NO", "Drawing number", "DRAWING NUMBER"),
        "part_number": ("PART NO.", "Part number", "PART NUMBER"),
        "revision": ("REV", "REV.", "Revision", "REVISION"),
        "material": ("MATERIAL", "Material", "MATL"),
        "finish": ("FINISH", "Surface treatment", "COATING"),
        "scale": ("SCALE", "Scale"),
        "sheet": ("SHEET", "Sheet"),
        "size": ("SIZE", "Size", "Format"),
        "drawn_by": ("DRAWN", "DRAWN BY", "Drawn by", "Created by"),
        "checked_by": ("CHECKED", "CHECKED BY", "Checked by"),
        "approved_by": ("APPROVED", "APPROVED BY", "Approved by"),
        "date": ("DATE", "Date", "Date of issue"),
        "weight": ("WEIGHT", "Weight", "MASS"),
        "tolerances": ("GENERAL TOLERANCES", "General tolerance", "TOLERANCES"),
        "units": ("UNITS", "Units"),
        "project": ("PROJECT", "Project"),
        "customer": ("CUSTOMER", "Client"),
        "company": ("COMPANY", "Legal owner"),
        "cage_code": ("CAGE CODE", "CAGE"),
    },
    "de": {
        "title": ("Benennung", "Bezeichnung", "Titel"),
        "drawing_number": ("Zeichnungsnummer", "Zeichnungs-Nr.", "Zeichn.-Nr."),
        "part_number": ("Teilenummer", "Artikelnummer", "Sachnummer"),
        "revision": ("Änderung", "Rev.", "Änderungsindex"),
        "material": ("Werkstoff", "Material"),
        "finish": ("Oberfläche", "Oberflächenbehandlung"),
        "scale": ("Maßstab",),
        "sheet": ("Blatt",),
        "size": ("Format",),
        "drawn_by": ("Gezeichnet", "Bearb.", "Erstellt"),
        "checked_by": ("Geprüft", "Gepr."),
        "approved_by": ("Freigegeben", "Genehmigt"),
        "date": ("Datum",),
        "weight": ("Gewicht", "Masse"),
        "tolerances": ("Allgemeintoleranzen", "Allgemeintoleranz"),
        "units": ("Einheit", "Maßeinheit"),
        "project": ("Projekt",),
        "customer": ("Kunde", "Auftraggeber"),
        "company": ("Firma",),
    },
    "fr": {
        "title": ("Désignation", "Titre"),
        "drawing_number": ("N° de plan", "Numéro de plan"),
        "part_number": ("Référence", "N° de pièce"),
        "revision": ("Indice", "Révision"),
        "material": ("Matière", "Matériau"),
        "finish": ("Traitement", "Traitement de surface"),
        "scale": ("Échelle", "ECHELLE"),
        "sheet": ("Feuille", "Folio"),
        "size": ("Format",),
        "drawn_by": ("Dessiné par", "Dessinateur"),
        "checked_by": ("Vérifié par", "Vérifié"),
        "approved_by": ("Approuvé par", "Approuvé"),
        "date": ("Date",),
        "weight": ("Masse", "Poids"),
        "tolerances": ("Tolérances générales",),
        "units": ("Unités", "Unité"),
        "project": ("Projet",),
        "customer": ("Client",),
        "company": ("Société",),
    },
    "es": {
        "title": ("Título", "Denominación"),
        "drawing_number": ("N.º de plano", "Número de plano", "Plano Nº"),
        "part_number": ("Referencia", "N.º de pieza"),
        "revision": ("Revisión", "Rev."),
        "material": ("Material",),
        "finish": ("Acabado", "Tratamiento"),
        "scale": ("Escala",),
        "sheet": ("Hoja",),
        "size": ("Formato",),
        "drawn_by": ("Dibujado", "Dibujado por"),
        "checked_by": ("Comprobado", "Revisado por"),
        "approved_by": ("Aprobado", "Aprobado por"),
        "date": ("Fecha",),
        "weight": ("Peso", "Masa"),
        "tolerances": ("Tolerancias generales",),
        "units": ("Unidades",),
        "project": ("Proyecto",),
        "customer": ("Cliente",),
        "company": ("Empresa",),
    },
    "it": {
        "title": ("Denominazione", "Titolo"),
        "drawing_number": ("Numero disegno", "Disegno N."),
        "part_number": ("Codice", "Codice articolo"),
        "revision": ("Revisione", "Rev."),
        "material": ("Materiale",),
        "finish": ("Trattamento", "Finitura"),
        "scale": ("Scala",),
        "sheet": ("Foglio",),
        "size": ("Formato",),
        "drawn_by": ("Disegnato", "Disegnatore"),
        "checked_by": ("Controllato", "Verificato"),
        "approved_by": ("Approvato",),
        "date": ("Data",),
        "weight": ("Peso", "Massa"),
        "tolerances": ("Tolleranze generali",),
        "units": ("Unità",),
        "project": ("Progetto",),
        "customer": ("Cliente",),
        "company": ("Azienda", "Ditta"),
    },
}

TITLES: Final[dict[str, tuple[str, ...]]] = {
    "en": ("MOUNTING BRACKET", "BEARING HOUSING", "DRIVE SHAFT", "Base Plate", "COVER, GEARBOX", "Pump Flange DN50"),
    "de": ("Lagerdeckel", "Grundplatte", "Antriebswelle", "Halter links", "Flansch DN40"),
    "fr": ("Plaque de base", "Couvercle de palier", "Arbre moteur", "Support gauche"),
    "es": ("Placa base", "Tapa de rodamiento", "Eje motriz", "Soporte izquierdo"),
    "it": ("Piastra di base", "Coperchio cuscinetto", "Albero motore", "Supporto sinistro"),
}
SECOND_TITLES: Final = ("LEFT HAND", "WELDED ASSEMBLY", "MACHINED", "STAGE 2")
NAMES: Final = (
    "J. Smith",
    "M. Weber",
    "A. MARTIN",
    "K.LEE",
    "R. Rossi",
    "S. García",
    "TBW",
    "H. Okafor",
    "P. NOVAK",
    "ERD",
)
COMPANIES: Final = (
    "Nordwerk Maschinenbau GmbH",
    "ACME PRECISION INC.",
    "Atelier Dubois SA",
    "Halden Robotics Ltd",
    "Officine Bianchi S.r.l.",
    "Talleres Vega S.L.",
)
MATERIALS: Final = (
    "AL 6061-T6",
    "EN AW-6082 T6",
    "1.4301",
    "S235JR",
    "AISI 304",
    "42CrMo4",
    "C45E",
    "POM-C",
    "17-4PH H900",
)
FINISHES: Final = (
    "CLEAR ANODIZE",
    "ZINC PLATED",
    "BLACK OXIDE",
    "RAL 7035",
    "PASSIVATED",
    "NICKEL 10 µm",
    "SAND BLASTED",
)
PROJECTS: Final = ("Falcon", "TX-200", "Line 4 upgrade", "ORION")
CUSTOMERS: Final = ("Harbor Systems", "Meyer & Sohn", "CERN", "Delta Marine")
SCALES: Final = ("1:1", "1:2", "2:1", "1:5", "1:2.5", "5:1")
TOLERANCES: Final = ("ISO 2768-mK", "ISO 2768-m", "DIN ISO 2768-fH", "ISO 2768 - mK", "ISO 22081", "±0.1")

BOM: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "en": (
        ("ITEM", "QTY", "PART NO.", "DESCRIPTION"),
        ("ITEM NO.", "PART NUMBER", "DESCRIPTION", "QTY."),
        ("POS", "DESCRIPTION", "MATERIAL", "QTY", "REMARK"),
    ),
    "de": (("Pos.", "Menge", "Benennung", "Werkstoff"), ("Pos", "Stück", "Benennung", "Sachnummer", "Bemerkung")),
    "fr": (("Rep", "Nb", "Désignation", "Matière"), ("Repère", "Quantité", "Désignation", "Référence")),
    "es": (("Pos.", "Cant.", "Denominación", "Material"),),
    "it": (("Pos.", "Q.tà", "Descrizione", "Materiale"), ("Pos.", "Descrizione", "Codice", "Q.tà")),
}
PARTS: Final[dict[str, tuple[str, ...]]] = {
    "en": (
        "BASE PLATE",
        "SIDE PANEL",
        "HEX SCREW M8 X 25",
        "WASHER 8",
        "BEARING 6204-2RS",
        "SHAFT",
        "COVER",
        "O-RING 20 X 2",
    ),
    "de": (
        "Grundplatte",
        "Seitenteil",
        "Zylinderschraube M6x20",
        "Scheibe 8",
        "Rillenkugellager 6204",
        "Welle",
        "Deckel",
    ),
    "fr": ("Plaque de base", "Flasque", "Vis CHC M6x20", "Rondelle 8", "Roulement 6204", "Arbre", "Couvercle"),
    "es": ("Placa base", "Panel lateral", "Tornillo M6x20", "Arandela 8", "Rodamiento 6204", "Eje", "Tapa"),
    "it": ("Piastra di base", "Fianco", "Vite TCEI M6x20", "Rondella 8", "Cuscinetto 6204", "Albero", "Coperchio"),
}
SECOND_PARTS: Final = ("STAINLESS STEEL, POLISHED", "SEE SHEET 2", "ISO 4762", "DIN 125")

REVISIONS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "en": (
        ("REV", "DESCRIPTION", "DATE", "APPROVED"),
        ("ZONE", "REV.", "DESCRIPTION", "DATE", "APPROVED"),
        ("REV", "DATE", "CHANGE", "BY"),
    ),
    "de": (("Index", "Änderung", "Datum", "Name"), ("Rev.", "Beschreibung", "Datum", "Bearb.")),
    "fr": (("Indice", "Modification", "Date", "Nom"),),
    "es": (("Rev.", "Descripción", "Fecha", "Nombre"),),
    "it": (("Rev.", "Descrizione", "Data", "Firma"),),
}
REVISIONS_TITLE: Final = {
    "en": "REVISIONS",
    "de": "Änderungen",
    "fr": "Modifications",
    "es": "Revisiones",
    "it": "Revisioni",
}
BOM_TITLE: Final = {
    "en": "PARTS LIST",
    "de": "Stückliste",
    "fr": "Nomenclature",
    "es": "Lista de piezas",
    "it": "Distinta base",
}
CHANGES: Final[dict[str, tuple[str, ...]]] = {
    "en": ("INITIAL RELEASE", "HOLE PATTERN CHANGED", "ECN 1042", "MATERIAL WAS S235", "SLOT ADDED"),
    "de": ("Erstausgabe", "Bohrbild geändert", "Werkstoff geändert", "Nut ergänzt"),
    "fr": ("Première diffusion", "Perçage modifié", "Matière modifiée"),
    "es": ("Primera emisión", "Taladros modificados", "Material cambiado"),
    "it": ("Prima emissione", "Fori modificati", "Materiale cambiato"),
}

NOTES_TITLE: Final[dict[str, tuple[str, ...]]] = {
    "en": ("NOTES:", "NOTES", "GENERAL NOTES:", "NOTES: UNLESS OTHERWISE SPECIFIED"),
    "de": ("Hinweise:", "Anmerkungen:", "Bemerkungen:"),
    "fr": ("Notes :", "REMARQUES :"),
    "es": ("NOTAS:", "Notas:"),
    "it": ("NOTE:", "Note:"),
}
NOTES: Final[dict[str, tuple[str, ...]]] = {
    "en": (
        "DEBURR AND BREAK ALL SHARP EDGES.",
        "ALL DIMENSIONS ARE IN MILLIMETERS AND APPLY AFTER PLATING.",
        "INTERPRET DRAWING PER ASME Y14.5-2018.",
        "PART TO BE CLEAN AND FREE OF OIL, CHIPS AND FOREIGN MATTER BEFORE PACKING.",
        "MARK PART NUMBER APPROXIMATELY WHERE SHOWN USING PERMANENT INK.",
        "NO WELD REPAIR IS PERMITTED WITHOUT WRITTEN APPROVAL.",
        "REMOVE ALL BURRS",
        "SUPPLIER SHALL KEEP MATERIAL CERTIFICATES ON FILE FOR TEN YEARS.",
    ),
    "de": (
        "Alle Kanten gratfrei.",
        "Nicht bemaßte Radien nach CAD-Modell.",
        "Teil vor dem Verpacken reinigen und leicht einölen, Flächen dürfen nicht beschädigt werden.",
        "Allgemeintoleranzen nach ISO 2768-mK.",
        "Schweißnähte umlaufend dicht.",
    ),
    "fr": (
        "Casser les angles vifs.",
        "Pièce à livrer propre, dégraissée et exempte de bavures sur toutes les faces usinées.",
        "Tolérances générales ISO 2768-mK.",
        "Marquer la référence sur la face opposée.",
    ),
    "es": (
        "Eliminar rebabas y aristas vivas.",
        "Tolerancias generales según ISO 2768-mK.",
        "Las piezas deben entregarse limpias, sin aceite ni virutas, y embaladas por separado.",
        "Todas las cotas en milímetros.",
    ),
    "it": (
        "Eliminare bave e spigoli vivi.",
        "Tolleranze generali secondo ISO 2768-mK.",
        "Il pezzo deve essere pulito e privo di olio e trucioli prima dell'imballaggio finale.",
        "Tutte le quote sono in millimetri.",
    ),
}
SUB_NOTES: Final = ("DEGREASE THE SURFACE", "APPLY PRIMER", "DRY FOR ONE HOUR", "INSPECT THE COATING")

THROUGH: Final = {"en": "THRU", "de": "DURCH", "fr": "DÉBOUCHANT", "es": "PASANTE", "it": "PASSANTE"}
MOST: Final = {"en": "MAX", "de": "max.", "fr": "MAXI", "es": "MÁX", "it": "MAX"}
