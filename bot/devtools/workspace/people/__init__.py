"""What people do in the local workspace: messages, clicks, forms, modals."""
