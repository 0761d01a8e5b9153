"""What a sentence names in its own words: stories, choices, risks, things, skills, ranks."""
