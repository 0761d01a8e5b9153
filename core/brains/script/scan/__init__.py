"""How large a change is, by what people say of it."""
