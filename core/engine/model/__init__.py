"""Language models: when one is asked, and what is done with its reply or its failure."""
