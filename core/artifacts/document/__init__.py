"""An artifact as a tree: headings, lines with sources, tables, diagrams. Values only."""
