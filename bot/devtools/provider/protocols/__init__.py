"""The three protocols, a file each: how a request is read, and how answers and errors are written.

docs: platform.openai.com/docs/api-reference (chat, responses), docs.anthropic.com/en/api (messages)
"""
