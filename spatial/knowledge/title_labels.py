"""The words that name the fields of a title block, and the words that stand in one without being a value.

Glossary
  label        lettering that names a field: "DWG NO.", "Gezeichnet", "Drawn / Gezeichnet".
  weak label   a label that names the field only where the block has no better one: "Name" for the title.
  inline       label and value written as one: "SCALE 1:2", "Blatt: 1 von 2".
  filler       a label of a field that we have no key for, a heading or a form's own sentence: never a value.

Sources: ISO 7200:2004 tables 1 to 4, ASME Y14.1-2020 and Y14.100-2017, DIN 6771-1, GOST 2.104-2006, and the sheet formats that
SolidWorks, Inventor, Creo, Solid Edge, NX, Fusion, Onshape, FreeCAD and AutoCAD come with.
"""

# ruff: noqa: E501 - a language is one line of the table

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

MAXIMUM_LABEL: Final = 96
"""Characters; what is longer is a sentence, not a label."""

OTHER: Final = "other"
"""Key of a filler."""
SHEET_COUNT: Final = "sheet_count"
HEADER: Final = "header"
"""Key of a column heading of the signature matrix that names no field by itself: SIGNATURE."""

ROLES: Final = frozenset({"drawn_by", "checked_by", "approved_by"})

WORDS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "title": {
            "sv": "benämning; ritningstitel; rubrik; nimitys",
            "cs": "název; název výkresu; název součásti",
            "en": "title; drawing title; part name; title of drawing; drawing name; part title; title description; sheet title; dwg title; name of part; dwg name; drg name",
            "de": "titel; benennung; bezeichnung; zeichnungstitel; teilebezeichnung; zeichnungsbenennung; titel zusätzlicher titel; werkstückbezeichnung",
            "fr": "titre; désignation; dénomination; intitulé; titre du dessin; titre du plan; nom de la pièce; désignation de la pièce",
            "es": "título; titulo; denominación; designación; nombre de la pieza; título del plano; nombre del plano; nombre de pieza",
            "it": "titolo; denominazione; titolo disegno; titolo del disegno; denominazione particolare; nome particolare",
            "ru": "наименование; название; наименование детали",
            "pl": "tytuł; nazwa; nazwa rysunku; nazwa części; tytuł rysunku",
            "pt": "título do desenho; designação; denominação; nome da peça",
            "nl": "benaming; omschrijving; titel tekening",
        },
        "title?": {
            "en": "name; description; drawing file name; file name; assembly; part; part description; component; subject; object; model name; item name; component name; product name; product; document title; supplementary title",
            "de": "name; beschreibung; bauteil; gegenstand; artikelbezeichnung; artikel; baugruppe; zusätzlicher titel; objekt; dokumenttitel",
            "fr": "nom; description; pièce; ensemble; objet; libellé",
            "es": "nombre; descripción; pieza; conjunto; objeto",
            "it": "nome; descrizione; particolare; oggetto; complessivo; pezzo",
            "ru": "деталь; имя",
            "pl": "opis; część",
        },
        "drawing_number": {
            "sv": "ritningsnummer; ritningsnr; ritning nr; piirustusnumero; tegningsnummer; tegning nr",
            "cs": "číslo výkresu; č výkresu; výkres č; číslo dokumentu",
            "en": "drawing number; drawing no; dwg no; dwg; drg no; drawing num; document number; document no; doc no; identification number; drawing id; dwg id; drwg no; drawing ref; drawing reference; drg; id no; identification no; drawing nr; plan no; document id; doc number; registration number; dwg number",
            "de": "zeichnungsnummer; zeichnungs nr; zeichnung nr; zeichn nr; zchg nr; zeichnungsnr; dokumentennummer; dokumentnummer; dokument nr; dokumenten nr; ident nr; identnummer; zng nr; zg nr; zeichnung; identifikationsnummer; blatt id",
            "fr": "numéro de plan; numéro de dessin; n° de plan; n° plan; no de plan; numéro du plan; dessin n°; plan n°; n° de dessin; référence du plan; numéro d'identification; n° dessin; numéro du dessin; n° document; numéro de document",
            "es": "número de plano; número de dibujo; n° de plano; n° plano; nº plano; plano nº; no de plano; plano no; núm plano; dibujo n°; n° de dibujo; no de dibujo; código de plano; número de documento; plano",
            "it": "numero disegno; disegno n°; n° disegno; disegno nr; n disegno; codice disegno; numero di disegno; num disegno; dis n; nr disegno; disegno; numero documento",
            "ru": "обозначение; номер чертежа; чертёж №; № чертежа; обозначение документа",
            "pl": "numer rysunku; nr rysunku; nr rys; rysunek nr; numer dokumentu",
            "pt": "número do desenho; desenho n°; n° do desenho; nº desenho",
            "nl": "tekeningnummer; tekening nr; tek nr; tekeningnr",
        },
        "drawing_number?": {
            "cs": "číslo",
            "en": "number; no; id; reference; ref; file no; reference number; reference no; ref no; print no; job drawing no",
            "de": "nummer; nr; referenz",
            "fr": "numéro; référence; réf; repère; code",
            "es": "número; referencia; código; nº",
            "it": "codice; numero; riferimento",
            "ru": "номер",
            "pl": "numer; nr",
        },
        "part_number": {
            "en": "part number; part no; p n; part num; item number; item no; article number; article no; component number; stock number; product number; product no; material number; sap number; sap no; catalog number; model number; model no; assy no; assembly no; assembly number; art no; part id; part code; item code; product code; pn",
            "de": "teilenummer; teile nr; artikelnummer; artikel nr; art nr; materialnummer; material nr; mat nr; bestellnummer; bestell nr; sap nr; teilenr; bauteilnummer; bauteil nr; sachnummer; sach nr",
            "fr": "numéro de pièce; n° de pièce; référence pièce; référence article; code article; n° article; réf article; n° pièce; référence de la pièce",
            "es": "número de pieza; n° de pieza; código de pieza; referencia de pieza; número de parte; no de parte; n° pieza; no parte; nº de parte; código de artículo",
            "it": "numero parte; codice parte; codice articolo; numero articolo; codice particolare; n° particolare; codice pezzo; articolo",
            "ru": "номер детали; артикул",
            "pl": "numer części; nr części; numer artykułu",
        },
        "revision": {
            "en": "revision; rev; rev no; revision no; revision level; rev level; revision index; rev letter; current revision; drawing revision; dwg rev; drawing rev; revision letter; rev level index; revision status; latest revision; rev index; rev id",
            "de": "revision; änderungsindex; änd index; index; revisionsindex; änderungsstand; revisionsstand; rev stand; änderungs index; rev index; zeichnungsindex; änd stand",
            "fr": "révision; indice; indice de révision; ind; rév; indice rév; indice de modification; ind rév",
            "es": "revisión; índice de revisión; índice; edición",
            "it": "revisione; indice; indice di revisione; indice revisione; indice modifica; ind rev",
            "ru": "ревизия; версия",
            "pl": "rewizja; zmiana; wersja",
        },
        "revision?": {
            "en": "issue; version; edition; issue no; ver; change; change level; rev version",
            "de": "version; ausgabe; stand; änderung; zustand; ausgabestand",
            "fr": "version; modification; édition",
            "es": "versión; modificación",
            "it": "versione; modifica; edizione; emissione",
        },
        "material": {
            "en": "material; matl; mat; mtl; material specification; material spec; raw material; mat'l; material type; stock material; material s; material grade; materials; base material; material description; part material",
            "de": "werkstoff; material; werkst; rohmaterial; werkstoffbezeichnung; werkstoff material; materialbezeichnung; werkstoff halbzeug",
            "fr": "matière; matériau; matériaux; mat; mati; nuance",
            "es": "material; materiales; materia prima",
            "it": "materiale; materiali; mat; materiale grezzo",
            "ru": "материал",
            "pl": "materiał; tworzywo",
            "nl": "materiaal",
        },
        "material?": {
            "de": "halbzeug; rohteil",
            "en": "stock; raw stock",
            "fr": "brut",
            "es": "bruto",
            "it": "grezzo; semilavorato",
        },
        "finish": {
            "en": "finish; surface treatment; coating; surface finishing; finishing; surface coating; final protective finish; finish spec; protective finish; plating; treatment; paint; finish color; finish colour; surface protection; finish specification; paint finish; finishes",
            "de": "oberflächenbehandlung; oberflächenschutz; oberflächenbeschichtung; beschichtung; oberflächenveredelung; veredelung; behandlung; oberflächengüte behandlung",
            "fr": "finition; traitement de surface; revêtement; traitement; traitements; protection; traitement surface",
            "es": "acabado; tratamiento superficial; recubrimiento; acabado superficial; tratamiento; tratamientos; acabados",
            "it": "finitura; trattamento superficiale; trattamento; finitura superficiale; rivestimento; trattamenti; trattamento sup",
            "ru": "покрытие; обработка поверхности",
            "pl": "wykończenie; powłoka; obróbka powierzchni; pokrycie",
        },
        "finish?": {
            "en": "surface finish; surface; surfaces; surface condition; surface roughness; roughness; color; colour; surface texture",
            "de": "oberfläche; oberflächen; oberflächenangaben; farbe; oberflächengüte; rauheit",
            "fr": "état de surface; rugosité; états de surface; rugosité générale; couleur",
            "es": "rugosidad; superficie; estado superficial; rugosidad general; color",
            "it": "rugosità; stato superficiale; superficie; rugosità generale; colore; rugosità gen",
        },
        "scale": {
            "sv": "skala; mittakaava; målestok; målestokk",
            "cs": "měřítko",
            "en": "scale; drawing scale; scales; dwg scale; plot scale; main scale; sheet scale",
            "de": "maßstab; massstab; masst; maßst; m; mst",
            "fr": "échelle; éch; ech; echelle",
            "es": "escala; escalas; esc",
            "it": "scala; scala disegno",
            "ru": "масштаб",
            "pl": "skala; podziałka",
            "nl": "schaal",
        },
        "sheet": {
            "en": "sheet; sheet no; sheet number; sht; page; page no; sheets; sht no; segment sheet; sh; page number; sh no; sheet nr; sheet id; pg; segment sheet number of segments sheets; sheet number number of sheets; sheet total; sheet no of",
            "de": "blatt; blatt nr; seite; blattnummer; bl; blatt seite; blattzahl",
            "fr": "feuille; page; planche; feuillet; folio; n° de feuille; feuille n°; folio n°; n° folio; pl; n° page",
            "es": "hoja; página; lámina; hoja nº; nº de hoja; hoja no; lámina nº; n° hoja; pág; hojas",
            "it": "foglio; pagina; tavola; fogli; foglio n°; n° foglio; tav; pag; fg",
            "ru": "лист",
            "pl": "arkusz; strona; nr arkusza; ark",
            "nl": "blad",
        },
        "size": {
            "cs": "formát",
            "en": "size; sheet size; paper size; drawing size; dwg size; format; sheet format; drawing format; page size; size format",
            "de": "format; blattformat; blattgröße; papierformat; blattgrösse; zeichnungsformat; papiergröße; größe; dokumentformat",
            "fr": "format; format de papier; taille; format papier",
            "es": "formato; tamaño; tamaño de papel; tamaño hoja; formato de papel; tamaño de hoja",
            "it": "formato; dimensione foglio; formato foglio; formato carta",
            "ru": "формат; размер",
            "pl": "format arkusza; rozmiar",
            "nl": "formaat",
        },
        "drawn_by": {
            "sv": "ritad; ritad av; piirtäjä; tegnet; tegnet av; tegnet af",
            "cs": "kreslil; nakreslil; vypracoval",
            "en": "drawn; drawn by; drn; drn by; drafter; draftsman; drafted by; dr by; drawn name; created by; creator; author; created; dwn; dwn by; draughtsman; drafted; drw by; drwn; drawing by; drafting; made by; prepared by; prepared; prep by; drawn by name; originator; dr; drwn by; draftsperson; delineator; drawed by; drawn d",
            "de": "gezeichnet; gez; bearbeiter; bearbeitet; bearb; erstellt; ersteller; erstellt von; gezeichnet von; gezeichn; gezei; zeichner; erstellt durch; autor; verfasser; gez von; erst; gez name; bearb name; bearbeitet von",
            "fr": "dessiné; dessiné par; dessinateur; établi par; créé par; auteur; dess; établi; dess par; créateur; rédigé par; dessine; dessine par; crée par; réalisé par",
            "es": "dibujado; dibujado por; dibujó; dibujo; dib; creado por; autor; elaborado por; dibujante; dib por; elaboró; realizado; realizado por; creado; elaborado",
            "it": "disegnato; disegnato da; disegnatore; dis; creato da; autore; redatto da; dis da; eseguito; redatto; creato; eseguito da; compilato",
            "ru": "разраб; разработал; чертил; выполнил; автор; начертил; исполнил",
            "pl": "rysował; rysowała; narysował; opracował; wykonał; autor; kreślił; sporządził; kreślarz; rys; oprac; wyk",
            "pt": "desenhado; desenhado por; desenhou; elaborado",
            "nl": "getekend; getekend door; get",
        },
        "drawn_by?": {
            "en": "designed; designed by; designer; design; des; design by; des by; engineer; engineered by; eng; dsgn; dsgn by; design engineer; dsn",
            "de": "konstruiert; konstrukteur; konstruiert von; konstr; entwickelt; entwickler; entworfen; konstruktion; entw",
            "fr": "conçu par; concepteur; étudié par; conçu; étude",
            "es": "diseñado; diseñado por; diseñador; diseñó; proyectado; diseño",
            "it": "progettato; progettato da; progettista; progetto da",
            "ru": "проектировал; конструктор",
            "pl": "projektował; konstruktor; konstruował; zaprojektował; projektant",
        },
        "checked_by": {
            "sv": "granskad; granskad av; kontrollerad; tarkastaja; kontrollert",
            "cs": "kontroloval; přezkoušel",
            "en": "checked; checked by; chk; chkd; chk'd; check; checker; chk by; ckd; reviewed by; reviewed; verified by; verified; chkd by; ck; ckd by; checked name; chk'd by; check by; chck; chck by; drawing check; dwg check; ck by; review; reviewer; ck'd",
            "de": "geprüft; gepr; prüfer; geprüft von; kontrolliert; kontrolle; prüfung; gepr von; geprüft durch; gepr name; kontr; gep; geprueft",
            "fr": "vérifié; vérifié par; contrôlé; contrôlé par; vérif; vérificateur; ver; vérif par; vérifie par; relu par; vérifie; contrôle",
            "es": "comprobado; revisado; verificado; revisado por; comprobado por; verificado por; revisó; comp; controlado; verificó; rev por; comprobó; comprobada",
            "it": "controllato; verificato; controllato da; verificato da; contr; controllo; visto; verifica; verif; contr da",
            "ru": "пров; проверил; проверено; проверка",
            "pl": "sprawdził; sprawdzil; sprawdzono; sprawdziła; zweryfikował; sprawdz; spr; spraw",
            "pt": "verificado; verificado por; verificou; conferido",
            "nl": "gecontroleerd; gecontroleerd door",
        },
        "approved_by": {
            "sv": "godkänd; godkänd av; hyväksyjä; godkjent; godkendt",
            "cs": "schválil",
            "en": "approved; approved by; appr; app; appd; appv'd; app'd; approver; approval; apvd; approval person; appr by; approved name; app by; apprvd; appvd; released by; appvd by; apprd; appr'd; appd by; aprvd; apvd by; appv; released; approvd; apprv; apprv'd; apr; apr by; authorised; authorised by; authorized by",
            "de": "freigegeben; genehmigt; freigabe; freig; freigegeben von; genehmigt von; genehmigung; genehmigende person; gen; freigegeben durch; freigeber; frei; genehm; freigegeb",
            "fr": "approuvé; approuvé par; appr; validé; validé par; approbation; appr par; approbateur; approuve; approuve par; app par",
            "es": "aprobado; aprobado por; aprobó; autorizado; apr; autorizado por; autorizó; validado; aprobación",
            "it": "approvato; approvato da; approv; approvazione; appr da; autorizzato; appr; emesso; firma approvazione",
            "ru": "утв; утвердил; утверждено; согласовано",
            "pl": "zatwierdził; zatw; zatwierdzono; zaakceptował; zatwierdzil; zatwierdziła",
            "pt": "aprovado; aprovado por; aprovou",
            "nl": "goedgekeurd; goedgekeurd door",
        },
        "approved_by?": {
            "en": "eng appr; eng approval; engineering approval; eng app; eng apprv; engr apprv; eng apprd; design approval; design activity approval; eng apvd; engr; approvals; dsgn appr; eng appvd; engineering; eng appr by; engr appr; engrg; proj eng; project engineer; responsible engineer; eng mgr; engineering manager"
        },
        "date": {
            "en": "date; date of issue; issue date; issued date; release date; creation date; drawn date; date drawn; drawing date; created on; dated; date created; date issued; date of creation; creation; date dd mm yyyy; original date; dwg date; released date; date released; drawn on; date mm dd yyyy; last modified; date yyyy mm dd; release; issued",
            "de": "datum; ausgabedatum; erstelldatum; erstellungsdatum; zeichnungsdatum; freigabedatum; erstellt am; gez datum; gezeichnet am; datum der erstellung; bearb datum; dat",
            "fr": "date d'édition; date de création; date d'émission; créé le; date du dessin; date création; date de diffusion; établi le",
            "es": "fecha; fecha de edición; fecha de emisión; fecha de creación; fecha dibujo",
            "it": "data; data di emissione; data emissione; data di creazione; data creazione; data disegno; data di rilascio",
            "ru": "дата; дата выпуска",
            "pl": "data wydania; data utworzenia; data rysunku",
            "nl": "datum uitgifte",
        },
        "weight": {
            "cs": "hmotnost",
            "en": "weight; mass; wt; est weight; calc weight; calculated weight; actual weight; est wt; calc wt; part weight; weight kg; mass kg; weight g; mass g; estimated weight; net weight; weight lb; weight lbs; estimated mass; act wt; total weight; unit weight; total mass; wgt; part mass; finished weight; weight grams",
            "de": "gewicht; masse; gewicht kg; masse kg; gew; gewicht in kg; gewicht g; masse g; teilegewicht; fertiggewicht; masse in kg",
            "fr": "poids; masse; poids kg; masse kg; masse en kg",
            "es": "peso; masa; peso kg; masa kg",
            "it": "peso; massa; peso kg; massa kg",
            "ru": "масса; вес",
            "pl": "masa; waga; ciężar; masa kg",
            "nl": "gewicht kg",
        },
        "tolerances": {
            "en": "tolerances; tolerance; general tolerances; general tolerance; unless otherwise specified tolerances; tolerances unless otherwise specified; tolerances unless otherwise noted; unspecified tolerances; tolerance unless otherwise specified; tolerances unless otherwise stated; standard tolerances; tolerancing; tol; std tolerances; default tolerance; default tolerances; unless specified tolerance are; tolerance are; tolerances are; tolerances are as follows; unless specified otherwise tolerances; unless otherwise specified tolerances are; general tol; gen tol; tolerance class; tolerance standard; unless otherwise stated tolerances; tolerance general; untoleranced dimensions; general tolerances iso; tolerances except as noted; unless specified tolerances are; standard tolerance; tolerances unless noted; tolerances if not indicated according to; tolerances unless otherwise indicated; tolerances if not stated; linear tolerance; general tolerancing; undimensioned tolerances",
            "de": "allgemeintoleranzen; allgemeintoleranz; toleranzen; toleranz; freimaßtoleranz; freimasstoleranz; allg toleranzen; allg toleranz; allgemein toleranzen; freimaßtoleranzen; tolerierung; allgemeintol; freimasstoleranzen; allgem toleranzen; allg tol; tol allgemein; zul abw; zul abweichung; zulässige abweichung; maße ohne toleranzangabe; allgemein toleranz; nicht tolerierte maße; freimaße; maße ohne toleranzangaben",
            "fr": "tolérances générales; tolérance générale; tolérances; tolérance; tol générales; tol gén; tolérances gén; tol générale; tolérance géné; tolérancement; tolérances géné",
            "es": "tolerancias generales; tolerancia general; tolerancias; tolerancia; tol gral; tol generales; tolerancias gral; tolerancia gral",
            "it": "tolleranze generali; tolleranza generale; tolleranze; tolleranza; toll generali; tol generali; toll gen; tolleranze gen; tolleranze non specificate; quote senza indicazione di tolleranza; toll generale; grado di precisione",
            "ru": "допуски; общие допуски; предельные отклонения",
            "pl": "tolerancje; tolerancja; tolerancje ogólne; tolerancja ogólna",
        },
        "units": {
            "en": "units; unit; dimensions in; dimension units; dims in; drawing units; dimensions; all dimensions in; unit of measure; measurement unit; all dimensions are in; dimensions are in; dim in; all dims in; units of measure; uom; units unless specified; units unless otherwise specified; units unless noted; dim units; unit system; dimension unit; linear units; length units; measurement; units of measurement; dimensions unit",
            "de": "einheit; einheiten; maßeinheit; masseinheit; maße in; maßangaben in; alle maße in; abmessungen in; längeneinheit; maßeinheiten; bemaßung in; masse in mm; angaben in",
            "fr": "unité; unités; unité de mesure; dimensions en; cotes en; cotation en; toutes cotes en; unité dimension",
            "es": "unidad; unidades; dimensiones en; medidas en; cotas en; todas las cotas en; unidad de medida; unid",
            "it": "unità; unità di misura; dimensioni in; quote in; misure in; quote espresse in; u m; tutte le quote in",
            "ru": "единицы; размеры в; единицы измерения",
            "pl": "jednostki; jednostka; wymiary w",
        },
        "project": {
            "en": "project; project name; project title; project no; project number; project id; program; job; job name; proj; project description; contract project; project ref; job title; proj no; programme; project code",
            "de": "projekt; projektname; projekt nr; projektnummer; projektbezeichnung; vorhaben; projektnr; bauvorhaben",
            "fr": "projet; affaire; nom du projet; n° affaire; n° de projet; programme; affaire n°; numéro de projet",
            "es": "proyecto; nombre del proyecto; obra; número de proyecto; n° de proyecto",
            "it": "progetto; commessa; nome progetto; nome del progetto; n° commessa; numero progetto",
            "ru": "проект",
            "pl": "nazwa projektu; temat; przedmiot; nr projektu",
        },
        "customer": {
            "en": "customer; client; customer name; client name; sold to; end user; cust; ordered by; end customer",
            "de": "kunde; auftraggeber; kundenname; besteller; bauherr",
            "fr": "client; nom du client; donneur d'ordre; maître d'ouvrage",
            "es": "cliente; nombre del cliente",
            "it": "cliente; committente; nome cliente",
            "ru": "заказчик; клиент",
            "pl": "klient; zamawiający; zleceniodawca; inwestor",
        },
        "company": {
            "cs": "společnost",
            "en": "company; company name; legal owner; organization; organisation; manufacturer; institution; school; university; company department; owner; design authority; department company; org; organisation name; school name; institute",
            "de": "firma; gesetzlicher eigentümer; eigentümer; firmenname; unternehmen; hersteller; schule; hochschule",
            "fr": "société; propriétaire légal; entreprise; nom de la société; établissement; propriétaire; lycée; école",
            "es": "empresa; propietario legal; compañía; nombre de la empresa; propietario; centro; escuela; universidad",
            "it": "azienda; proprietario legale; società; ditta; proprietario; istituto; scuola; università",
            "ru": "организация; предприятие; компания",
            "pl": "firma nazwa; przedsiębiorstwo; właściciel prawny; uczelnia; szkoła",
        },
        "cage_code": {
            "en": "cage code; cage; fscm no; fscm; ncage; cage no; cagec; code ident no; code ident; cage number; fsc no; fscm number; ncage code; code identification; cage ident; mfr code; code id no"
        },
        SHEET_COUNT: {
            "en": "of sheets; no of sheets; number of sheets; total sheets; sheet count; of; total pages; sheets total; no sheets; number of segments sheets; no of sheet; number of pages",
            "de": "blätter; von; anzahl blätter; blattanzahl; gesamtblätter; blatt von; von blatt; anz blätter",
            "fr": "feuilles; nombre de feuilles; nb de feuilles; nombre de folios; sur; nb folios",
            "es": "número de hojas; de; total hojas; nº hojas; total de hojas",
            "it": "di; totale fogli; numero fogli; n° fogli; di fogli; tot fogli",
            "ru": "листов; из; всего листов",
            "pl": "arkuszy; ilość arkuszy; liczba arkuszy; z",
        },
        HEADER: {
            "en": "signature; sign; signed; initials; signatures; sig; name signature; name date; signature date; by; initial; name and date; initial date; sign date; init; sign & date; first name; last name; surname; family name",
            "de": "unterschrift; namenszeichen; kurzzeichen; visum; namenskürzel; unterschr; kürzel; namen",
            "fr": "signature; visa; par; signatures; visas",
            "es": "firma; firmas; por; rúbrica; iniciales",
            "it": "firma; firme; sigla; da; nominativo; visto firma",
            "ru": "подп; подпись; фамилия; № докум; изм; кол уч; № док; подп и дата; кол; № изм; ф и о; фио; должность",
            "pl": "podpis; nazwisko; imię i nazwisko; imię; podpisy; imię nazwisko",
        },
        OTHER: {
            "en": (
                "mfg; mfg appr; mfg approval; mfg apprv; mfg appvd; q a; qa; qa appr; qa apprv; qa appvd; quality; quality assurance; qc; qc appr; qc apprv; qc appvd; comments; comment; remarks; remark; do not scale drawing; do not scale; do not scale this drawing; scale drawing; next assy; next assembly; "
                "used on; application; projection; third angle projection; first angle projection; 3rd angle projection; 1st angle projection; "
                "third angle; first angle; angle of projection; proprietary and confidential; confidential; unless otherwise specified; unless otherwise noted; unless otherwise stated; qty; quantity; "
                "no req'd; qty req; quantity required; document type; doc type; responsible dept; responsible department; technical reference; tech ref; document status; status; doc status; language; "
                "lang; classification; key words; keywords; paper; code; model; file; file path; path; filename; cad file; cad file name; contract no; "
                "contract; contract number; order no; work order; eco; ecn; ecn no; eco no; ecr; zone; ltr; revisions; revision history; revision description; description of change; rev by; "
                "interpret geometric tolerancing per; interpret drawing per; interpret dimensions and tolerances per; geometric tolerancing; surface area; volume; replaces; replaced by; "
                "superseded by; supersedes; origin; bill of materials; parts list; item; find no; notes; note; general notes; stress; stress appr; manufacturing; manufacturing appr; mfg eng; heat treatment; heat treat; "
                "hardness; fractional; angular; mach; bend; decimals; decimal; angles; angle; linear; two place decimal; three place decimal; one place decimal; "
                "deburr and break sharp edges; break sharp edges; deburr; deburr and break sharp; break all sharp edges; remove all burrs; remove burrs; sharp edges; edges; dept; department; tolerancing principle; "
                "phone; tel; fax; email; e mail; web; website; address; reference documents; similar to; pattern no; tool no; cost; supplier; vendor; process; "
                "created with; autodesk; educational; solidworks educational product for instructional use only; drawing; part drawing; assembly drawing; detail drawing; sheet metal; manager; "
                "group; section; course; class; instructor; teacher; student id; grade; team; flat; release status; lifecycle; state; security; security classification; export control; "
                "this drawing is the property of; all rights reserved; copyright; dimensioning and tolerancing; dimension; standard; standards; norm; symbol; ref des; responsible; additional information; type; "
                "workshop; machine; operation; nc program; plotted; plot date; printed; print date; time; modified by; modified; last saved by; last modified by; changed by; change description; metric; english; "
                "issued by; released for production; for production; for information only; preliminary; seal; stamp; engineering release; eng release"
            ),
            "de": (
                "norm; normgeprüft; art der änderung; urspr; ursprung; ers f; ers d; ersatz für; ersetzt durch; ersetzt; erstverwendung; verantwortliche abteilung; verantw abteilung; "
                "dokumentart; dokumentenart; dokumentenstatus; dokumentstatus; technische referenz; sprache; abteilung; schutzvermerk nach iso 16016; schutzvermerk; projektionsmethode; "
                "menge; stück; stückzahl; anzahl; bemerkung; bemerkungen; kanten; werkstückkanten; kanten nach iso 13715; härte; wärmebehandlung; modellnummer; modell nr; stückliste; pos; position; "
                "datei; dateiname; klassifikation; schutzvermerk iso 16016 beachten; schutzvermerk din iso 16016 beachten; tolerierungsgrundsatz; auftrag; auftrags nr; auftragsnummer; modell; "
                "ä nr; zust; mitteilung; nicht skalieren; allgemeine angaben; projektion; einzelteilzeichnung; zusammenbauzeichnung; verwendung; verwendungsbereich; oberflächenangaben nach; klasse; gruppe; verteiler"
            ),
            "fr": (
                "ne pas mesurer; service responsable; type de document; statut du document; référence technique; langue; remarques; observations; quantité; qté; nb; modifications; modification; "
                "projection; notes; dureté; traitement thermique; fichier; dossier; classe; groupe; ne pas changer l'échelle; remplace; remplacé par; statut; méthode de projection; nomenclature; rep; casser les angles vifs; nombre"
            ),
            "es": (
                "departamento responsable; tipo de documento; estado del documento; referencia técnica; idioma; observaciones; cantidad; cant; notas; modificaciones; dureza; tratamiento térmico; "
                "sustituye a; sustituido por; no cambie la escala; archivo; curso; grupo; sistema; proyección; lista de materiales; rebarbar y romper aristas vivas; uso; marca; asignatura; especialidad"
            ),
            "it": (
                "reparto responsabile; tipo di documento; stato del documento; riferimento tecnico; lingua; note; quantità; q tà; modifiche; durezza; trattamento termico; sostituisce; sostituito da; "
                "file; nome file; classe; sezione; non scalare; non scalare il disegno; ufficio; reparto; proiezione; distinta; distinta base; pos; visto; smussi non quotati; raccordi non quotati; gruppo; data modifica"
            ),
            "ru": (
                "лит; н контр; т контр; нач отд; гл констр; норм контр; рук; инв № подл; взам инв №; инв № дубл; справ №; перв примен; копировал; подп дата; листов формат; стадия; "
                "н контроль; т контроль; реценз; консульт; руковод; зав каф; гип; нормоконтр; technical requirements; технические требования; чертеж; сборочный чертеж; документ"
            ),
            "pl": "uwagi; ilość; szt; poz; zastępuje; zastąpiony przez; dział; rodzaj dokumentu; norma; katedra; wydział; grupa; liczba sztuk; nr normy; status dokumentu",
            "any": "a b; xxx; x xx; x x; x xxx; xx; x; tbd",
        },
    }
)
"""Key (a question mark after it: weak labels) to language to the labels, parted by semicolons."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What a piece of lettering says as a label."""

    key: str
    """A key of the block, or OTHER, HEADER, SHEET_COUNT."""
    weak: bool = False
    value: str = ""
    """What follows the label in the same piece; empty where nothing does."""
    colon: bool = False
    """Whether a colon stands between label and value, or after the label."""

    @property
    def is_field(self) -> bool:
        """Whether it names one of our keys."""
        return self.key not in (OTHER, HEADER)


_SAME: Final = MappingProxyType(
    {
        "nr": "no",
        "num": "no",
        "n": "no",
        "number": "no",
        "nummer": "no",
        "numero": "no",
        "numer": "no",
        "nro": "no",
        "nº": "no",
        "номер": "no",
    }
)
_SIGNS: Final = str.maketrans(
    {
        "#": " no ",
        "№": " no ",
        "°": "",
        "º": "",
        "'": "",
        "’": "",
        "`": "",
        "´": "",
        "ß": "ss",
        "&": " ",
        "ł": "l",
        "Ł": "l",
        "_": " ",
    }
)
_WORD: Final = re.compile(r"[^\W_]+")


def folded(text: str) -> str:
    """The one spelling under which labels are compared: no accents, case, punctuation; `no` for every word for number."""
    plain = unicodedata.normalize("NFKD", text.translate(_SIGNS)).casefold()
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return " ".join(_SAME.get(word, word) for word in _WORD.findall(plain))


def _vocabulary() -> Mapping[str, Wording]:
    """Folded label to what it says; strong words come before weak ones, and keys before fillers."""
    known: dict[str, Wording] = {}
    for weak in (False, True):
        for name, languages in WORDS.items():
            if name.endswith("?") is weak:
                for phrase in "; ".join(languages.values()).split(";"):
                    known.setdefault(folded(phrase), Wording(name.removesuffix("?"), weak))
    return MappingProxyType(known)


_KNOWN: Final = _vocabulary()
_LONGEST: Final = max(len(phrase.split()) for phrase in _KNOWN)
_PARTS: Final = re.compile(r"\s*[/|\n\\]\s*|\s+[-–—·]\s+|\s*[()]\s*")
_COLON: Final = re.compile(r"\s*[:=]\s*")
_BARE_INLINE: Final = frozenset(
    {
        "scale",
        "sheet",
        "size",
        "revision",
        "weight",
        "date",
        "drawing_number",
        SHEET_COUNT,
        "cage_code",
        "units",
        "part_number",
    }
)
"""Keys whose value may follow the label without a colon; the value must pass `_title_values.telling`."""


_SIGNED: Final = re.compile(r"(?:DRAWN|CHECKED|APPROVED)(?: BY)?(?: [A-Z][A-Z.'-]*){2,3}(?: [\d./-]{6,10})?")
""" "APPROVED JOHN SMITH": a name in capitals after its role; "Checked surface" is none."""


@lru_cache(maxsize=8192)
def read(text: str) -> Wording | None:
    """What the lettering says as a label; None where it is none."""
    text = text.strip()
    if not text or len(text) > 4 * MAXIMUM_LABEL:
        return None
    return _whole(text) or _before_colon(text) or _bare(text)


def _whole(text: str) -> Wording | None:
    """All of it is a label: as it stands, in several languages, or with a colon at its end."""
    if len(text) > MAXIMUM_LABEL:
        return None
    colon = text.rstrip().endswith((":", "="))
    found = _KNOWN.get(folded(text)) or _in_languages(_PARTS.split(text)) or _run_together(folded(text).split())
    return Wording(found.key, found.weak, "", colon) if found else None


def _in_languages(parts: list[str]) -> Wording | None:
    """ "Drawn / Gezeichnet": every part is a label; the first that names a field tells which."""
    words = [folded(part) for part in parts if folded(part)]
    if len(words) < 2 or any(word not in _KNOWN for word in words):
        return None
    wordings = [_KNOWN[word] for word in words]
    fields = [wording for wording in wordings if wording.is_field]
    strong = [wording for wording in fields if not wording.weak]
    return (strong or fields or wordings)[0]


def _run_together(words: list[str]) -> Wording | None:
    """ "Maßstab Scale": two labels of one meaning with nothing between them."""
    for cut in range(1, len(words)):
        left, right = _KNOWN.get(" ".join(words[:cut])), _KNOWN.get(" ".join(words[cut:]))
        if left and right and left.key == right.key and left.is_field:
            return left if not left.weak else right
    return None


def _before_colon(text: str) -> Wording | None:
    """ "SCALE: 1:2": a label, a colon, a value."""
    cut = _COLON.search(text)
    if cut is None or not cut.start():
        return None
    label = _whole(text[: cut.start()])
    value = text[cut.end() :].strip()
    return Wording(label.key, label.weak, value, True) if label and value else None


def _bare(text: str) -> Wording | None:
    """ "SHEET 1 OF 2": a label and a value with a space between them; the longest label wins."""
    words = text.split()
    for count in range(min(len(words) - 1, _LONGEST), 0, -1):
        found = _KNOWN.get(folded(" ".join(words[:count])))
        if found is not None:
            named = found.key in ROLES and _SIGNED.fullmatch(text) is not None
            bare = (found.key in _BARE_INLINE or named) and not found.weak
            return Wording(found.key, False, " ".join(words[count:])) if bare else None
    return None


_TOLERANCE_BOX: Final = (
    r"unless (otherwise )?(specified|noted|stated)|otherwise specified|dimensions are in (mm|millimet|inch)|tolerances?:|tolerancing per|break (all )?sharp|"
    r"(one|two|three|four) place decimal|interpret (geometric|drawing|dim)|remove (all )?burrs|^deburr\b|^fractional\b|do not scale|nicht (messen|skalieren)"
)
_NOTICE: Final = (
    r"propriet|confidential|all rights|copyright|©|\(c\) ?\d{4}|sole property|is (the )?property|written (permission|consent|agreement|authori)|reproduc|"
    r"disclos|prohibited|schutzvermerk|weitergabe|vervielf|eigentum|urheber|alle rechte|propri[eé]t[eéa]|reproducci|riproduzione"
)
_ADVERTISEMENT: Final = r"made (with|in|by) .*(version|edition)|educational (product|version)|instructional use|trial version|student version|for academic use"
_UNFILLED: Final = re.compile(
    r"^\W*$|^<.*>$|^\$PRP|^%%?\w+%?$|^\{.*\}$|^\[[A-Za-z _-]*\]$|^x{2,}[.\-x]*$|^X\.X+$|^_+$|^n/?a\.?$|^none$|^tbd$|^not specified$|^unspecified$|"
    r"^<not specified>|^&\[?\w+|^enter .*here|^insert .*here|^your (company|name|logo).*|^(company|customer) name$|^material <not|^\?+$|^=\w+",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(f"{_TOLERANCE_BOX}|{_NOTICE}|{_ADVERTISEMENT}", re.IGNORECASE)


def unfilled(text: str) -> bool:
    """Whether it is what a template holds before anyone fills it in, or says that there is nothing."""
    return _UNFILLED.match(text.strip()) is not None


def sentence(text: str) -> bool:
    """Whether it is a form's own sentence: a property notice, DO NOT SCALE, the head of a tolerance box."""
    return _SENTENCE.search(text[:400]) is not None


def notice(text: str) -> bool:
    """Whether it is a property notice or a program's advertisement."""
    return re.search(_NOTICE, text[:400], re.IGNORECASE) is not None or advertises(text)


def advertises(text: str) -> bool:
    """Whether it is a program's advertisement."""
    return re.search(_ADVERTISEMENT, text[:400], re.IGNORECASE) is not None
