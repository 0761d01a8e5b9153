"""What any brain needs beside its reading: names of lines, links, differences, what stays open."""
