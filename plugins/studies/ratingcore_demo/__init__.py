"""The main job on a real archive, end to end: brings the command `demo`."""
