"""Where two lines say different things of one matter: across steps and people, for any brain."""
