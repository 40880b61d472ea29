"""The tests of `gallery/`: files, readers, pages, sentences, and a plain program that computes the same numbers."""
