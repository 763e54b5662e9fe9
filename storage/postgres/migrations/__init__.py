"""The history of the schema, packaged so that every process can bring its database up to date when it starts."""
