"""The local workspace in a browser: what is shown of it. It looks like the part of Slack that is
needed, says that it is not Slack, and knows nothing of Roundtable."""
