"""Importers: what a foreign record becomes, and what is said about the rest."""
