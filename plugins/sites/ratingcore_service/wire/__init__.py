"""What goes over the line: questions, what is sent in, and answers, as types that msgspec checks and describes."""
