"""The gallery: rating methods compared out of sample on real archives, a page for each and one for all."""
