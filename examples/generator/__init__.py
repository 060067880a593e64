"""Writes the demo from one description and a seed: an invented company, its documents, spaces and benchmark."""
