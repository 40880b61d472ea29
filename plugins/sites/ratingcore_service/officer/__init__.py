"""The officer's desk: pages that write, each in steps, so that what will happen is seen before it does."""
