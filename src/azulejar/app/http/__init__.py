"""Requests and replies, whatever they are about: limits, access, errors, server-sent events."""
