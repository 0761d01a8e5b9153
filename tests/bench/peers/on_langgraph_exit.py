"""LangGraph at its fastest: what a step changed is written once, before `invoke` returns.

That is all that the acknowledgement of one answer needs. What happens within an `invoke` of several
nodes would be lost in a crash, which is why it is not how LangGraph comes.
"""

from functools import partial

from tests.bench.peers.on_langgraph import opened
from tests.bench.peers.turns import serve

if __name__ == "__main__":
    serve(partial(opened, durability="exit"))
