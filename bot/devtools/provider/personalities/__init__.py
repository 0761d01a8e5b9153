"""Who a stand-in can be: what each makes of a request, from its data alone. None is a model."""
