"""How payloads reach the app: queue, HTTP, Socket Mode, retries."""
