"""Sockets to conversations and back, with limits."""
