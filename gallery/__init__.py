"""The gallery: pages that compare rating methods out of sample on real archives, one page each and an index."""
