"""What a bachelor thesis on the Elo measure printed about its worlds: claims, errata and numbers to compare with."""
