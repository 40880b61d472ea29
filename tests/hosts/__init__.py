"""Hosts: small sites of leagues with a web application of their own, as users build them."""
