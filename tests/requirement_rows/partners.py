"""What partners' feature trees promise beyond the spec."""

from tests.requirement_rows._row import Row

_PAGE = "docs/partners.md"

ROWS: tuple[Row, ...] = (
    Row("partners.solids", "Features whose parameters allow it are built as exact solids under their ids", _PAGE),
    Row(
        "partners.honest",
        "A feature that cannot be built leaves its body without a solid, with the reason, and keeps its stated bounds",
        _PAGE,
    ),
    Row("partners.billed", "An import is charged by its bytes, a webhook event is not", _PAGE),
    Row("partners.account-scoped", "A scene is usable by its account alone", _PAGE),
    Row("partners.rotation", "A partner has up to two valid secrets; both sign, a removed one does not", _PAGE),
    Row("partners.shared-secret", "The shared secret serves partners without their own, and no others", _PAGE),
    Row("partners.cli", "spatial partners adds, lists and removes secrets, and shows a secret once", _PAGE),
    Row("partners.features", "Each type of feature gives the volume that its parameters define", _PAGE),
    Row(
        "partners.broken",
        "A feature that cannot be built leaves its body without a solid, and the others as they are",
        _PAGE,
    ),
    Row("partners.replay", "The same partner, document and body again changes nothing", _PAGE),
    Row("partners.malformed", "A signed body that is malformed, or of another content type, is 400", _PAGE),
)
