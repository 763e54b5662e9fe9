"""The MCP endpoint (spec: POST /api/mcp): the operations of the REST interface as tools for agents.

    body -> messages.parse -> one call -> protocol checks of its era -> a row of methods.METHODS -> result -> answer

A billed tool is a request to the REST route that it mirrors, in this process, with the caller's own Authorization: keys, billing,
idempotency, limits and errors are those of the route.

Glossary
  era       legacy: revisions 2024-11-05 to 2025-11-25, which begin with `initialize`; modern: 2026-07-28, where every request carries
            its protocol version. Both are served by every request on its own, without sessions.
  tool      an operation for an agent: one row of tools.TOOLS.
  resource  a document that an agent may read by its URI.
"""
