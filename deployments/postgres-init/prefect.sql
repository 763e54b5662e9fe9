-- Prefect keeps its own database on the same server (docs/decisions/0002-postgres-the-one-database.md).
CREATE DATABASE prefect OWNER spatial;
