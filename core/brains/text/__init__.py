"""An answer's text, taken apart: lines, sentences, numbers, labels, small talk, shared words."""
