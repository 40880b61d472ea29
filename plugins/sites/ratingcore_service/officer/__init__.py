"""The officer's desk: pages that write to the log, each after a preview."""
