"""Small forms in the words of one language each are read whole: labels of standards, templates and schools."""

from __future__ import annotations

import pytest

from tests.spatial.forms import fields_of, framed_form

VALUES = {
    "title": "HK 4 Flansch",
    "drawing_number": "HK-4711-02",
    "drawn_by": "W. FARGEL",
    "checked_by": "T. ORSK",
    "approved_by": "B. LUND",
    "date": "2024-03-14",
    "scale": "1:5",
    "material": "EN AW-6082",
    "weight": "2.4 kg",
}
"""What stands in the cells, the same in all languages."""

LABELS = {
    "bg": "Име на детайла | Чертеж № | Начертал | Проверила | Утв. | Дата на издаване | Мащ. | Материал | Тегло кг",
    "cs": "Název součástky | Č. výkr. | Nakreslila | Zkontrolovala | "
    "Schvál. | Dat. | Měřítko výkresu | Jakost materiálu | Váha",
    "el": "Όνομα εξαρτήματος | Αρ. σχεδίου | Σχεδιάσθηκε | Ελέγχθηκε από | "
    "Εγκρ. | Ημερ. σχεδίασης | Κλίμακες | Υλικό κατασκευής | Βάρος kg",
    "id": "Nama benda kerja | No. dokumen | Dibuat oleh | Pemeriksa | "
    "Mengetahui | Tgl. gambar | Skala gambar | Jenis bahan | Berat total",
    "ja": "部品名称 | 図番号 | 作図者 | 検図者 | 承認印 | 製図年月日 | 図面尺度 | 使用材料 | 製品重量",
    "ko": "도면명칭 | 도면코드 | 작도자 | 검도자 | 결재자 | 제도일자 | 도면척도 | 재료명 | 단중",
    "pl": "Nazwa detalu | Nr dokumentacji | Kreśliła | Sprawdzający | "
    "Zatwierdzenie | Data opracowania | Podz. | Gatunek stali | Ciężar netto",
    "ru": "Наименование изделия | № чертежа | Чертёжник | Проверяющий | "
    "Утвердила | Дата разработки | Масшт. | Марка материала | Масса кг",
    "th": "ชื่อแบบงาน | เลขที่แบบงาน | ผู้วาด | ผู้ตรวจแบบ | ผู้รับรอง | วันที่เขียนแบบ | สเกล | ชนิดวัสดุ | น้ำหนัก กก.",
    "tr": "Parça ismi | Çizim numarası | Teknik ressam | Kontrolör | "
    "Onaylandı | Düzenleme tarihi | Çizim ölçeği | Malz. | Net ağırlık",
    "uk": "Назва виробу | № креслення | Накреслив | Перевірила | "
    "Затвердила | Дата випуску | Масшт. | Марка матеріалу | Маса виробу",
    "vi": "Tên linh kiện | Số hiệu bản vẽ | Họa viên | Soát xét | Phê chuẩn | Ngày phát hành | Tỷ lệ vẽ | Mác thép | Cân nặng",
    "zh": "零部件名称 | 图纸代号 | 绘图员 | 检图 | 审批 | 出图日期 | 绘图比例 | 材料规格 | 净重",
}  # fmt: skip
"""Code of each language to the labels of those fields, in their order."""


@pytest.mark.requirement("vocabulary.languages")
@pytest.mark.parametrize("language", LABELS)
def test_a_form_in_the_words_of_one_language_is_read(language: str) -> None:
    form = framed_form()
    for place, (label, value) in enumerate(zip(LABELS[language].split(" | "), VALUES.values(), strict=True)):
        form.cell((290, 10 + 15 * place, 410, 25 + 15 * place), label, value)
    fields = fields_of(form)
    assert {key: fields.get(key) for key in VALUES} == VALUES
