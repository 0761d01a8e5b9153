"""What people say in a step: collected, recorded, withdrawn, differed on."""
