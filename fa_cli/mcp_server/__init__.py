"""Assistants play and analyse over the Model Context Protocol: tools of a process on the assistant's machine.

Its dependency is the extra `mcp`; nothing else of the package imports it.
"""
