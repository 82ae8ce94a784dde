"""The people who use a server: their accounts and roles."""
