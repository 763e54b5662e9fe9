"""The reasoner: solves the tasks of spatial reasoning, each in a forked child with a deadline and a memory limit.

It holds no connection: input comes in as bytes, the answer goes out as bytes. The desktop worker and, where the setting allows it, the
API's own machine use it.
"""
