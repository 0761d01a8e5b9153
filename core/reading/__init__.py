"""Reading: what people said becomes a draft, and a draft becomes sections."""
