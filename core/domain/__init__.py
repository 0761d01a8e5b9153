"""Values: what the core speaks of. Nothing here reads, writes or decides."""
