"""What views show besides words: each with one rendering of today and one plain."""
