"""Answers of the engine as they are written: one function a question."""
