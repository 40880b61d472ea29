"""The API: tables of routes, by what they are for."""
