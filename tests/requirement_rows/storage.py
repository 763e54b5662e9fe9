"""What storage promises beyond the spec's own sentences."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

ROWS: Final[tuple[Row, ...]] = (
    *rows(
        "architecture: storage",
        {
            "storage.datastore-unavailable": "A dead, frozen or missing Postgres is DatastoreUnavailable within seconds, and a returned one is used at once.",
            "storage.idle-connections": "Connections that a pool did not need for a minute are closed, and none while one is in use.",
            "storage.postgres.accounts": "One name is one account, however many processes make it at once.",
            "storage.postgres.subscriptions": "A subscription is active, trialing, past_due, canceled or none, asked of a billing provider.",
            "storage.postgres.keys": "What has not the shape of a key, or is none of ours, is not found.",
            "operation.completes-once": "An operation is completed once, together with its usage, by whoever tries first; a broken commit is settled by asking again.",
            "operation.lease": "An operation whose lease lapsed bills nothing, unless its owner was only slow and nobody took over.",
            "idempotency.one-claimant": "Of any number of claimants of a key in any number of processes, one executes.",
            "idempotency.owner-died": "A key whose owner died becomes usable again when its lease has lapsed, and the old owner is fenced off.",
            "storage.objects.lake": "A lake of any kind puts whole objects, lists what was put, and has no key that leads out of it.",
            "storage.objects.lake-unavailable": "A lake that refuses, is silent or is missing is LakeUnavailable within seconds, and blocks nobody.",
            "storage.objects.bucket": "The bucket is made where it is missing, with lifecycle rules on staged/, results/ and prefect/ only.",
            "ledger.export": "Every committed usage row is exported to Parquet once and can be asked with DuckDB.",
            "ledger.late-commit": "A row that commits after younger ones is not skipped by the export.",
            "ledger.crash": "An exporter or compactor that dies at any moment loses no row and shows none twice.",
            "ledger.concurrent": "Exporters, compactors and readers work at once, and no reader sees a row twice.",
            "ledger.compact": "Compaction merges small objects; readers of an older manifest are served for an hour.",
            "ledger.own-process": "A process that has not loaded the library of Parquet has the ledger's files made by another, which then ends.",
            "ledger.totals": "Usage can be summed by account and day (UTC).",
            "metering.tokens": "Tokens are ceil(bytes / 4).",
            "metering.estimate": "Estimated costs are exact decimals of the settings' prices.",
            "content-url.addresses": "An address that is not global, or stands for another one, is refused; one such address condemns its name.",
            "content-url.spellings": "Decimal, octal, hexadecimal, short, wide, percent-encoded and IPv6 spellings are refused like what they mean.",
            "content-url.shape": "Only http and https, a host, a port of HTTP, and no user name or password.",
            "content-url.download": "The connection goes to the very address that was judged, with the URL's host as Host and TLS name.",
            "content-url.environment": "Downloads use no proxy and no credentials of the environment.",
            "content-url.redirects": "At most five redirects are followed, each judged like the first URL.",
            "content-url.encoding": "The file is asked for as it is; a Content-Encoding is refused, so the limit counts the file's own bytes.",
            "content-url.allow": "A host:port of the settings is exempt from the judgement of its address, and nothing else is.",
            "content-url.tls": "A TLS certificate must be the URL's host's, by a known authority.",
            "postgres.embedded": "The embedded Postgres survives kills, stale files and its starter's death, serves the loopback only, and says in a sentence why it cannot start.",
            "settings.environment": "Settings are flags, SPATIAL_ variables and defaults, in this order; a bad one is one sentence that names it.",
            "storage.postgres.migrations": "Migrations make exactly the tables of the metadata, and any number of processes may run them at once.",
        },
    ),
)
