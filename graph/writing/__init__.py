"""The one path on which all is written: check, look, settle, lock, write; `events` and `statements` lead to it."""
