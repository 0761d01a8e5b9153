"""What the files of a step tree may say, as pydantic models, and the one reader of their errors."""
