"""The cases, a file for each subject. Each file ends in the tuple that `table` lists."""
