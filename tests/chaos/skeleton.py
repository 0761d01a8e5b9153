"""The smallest whole analysis: one phase, one persona, two steps, and a play of it."""

from pathlib import Path
from typing import Final

AGENT: Final = """---
name: roundtable
description: One persona, one phase.
personas:
  - key: business-analyst
    name: Maya Chen
    role: Business Analyst
    icon: ":bar_chart:"
    identity: Asks until it is clear.
    style: Short.
    principles: [One question at a time, Say who said it, Leave nothing out]
phases:
  01-requirements: {persona: business-analyst, label: Requirements}
---
"""
STEP: Final = """---
step_id: "01-0{number}"
title: {title}
persona: business-analyst
depth: standard
outputs: [{output}]
---

## Brief Mode

I take it that this is clear.

## Standard Mode

1. What should it do?
2. Who needs it?

## Deep Mode

1. What should it do when something is missing?

## Validation

- There is an answer.

## Artifacts

- `{output}` · section "{title}": what was said.
"""
PLAY: Final = """
people: [pm, dev]
start: {by: pm, command: "/roundtable analyze Export dashboard as PDF"}
steps:
  "01-01":
    - {by: pm, reply: "1. The dashboard must be exported as one PDF file."}
    - {by: dev, reply: "2. Finance needs it every Monday."}
    - {by: pm, edit: 1, text: "1. The dashboard must be exported as one PDF file, filters applied."}
    - {by: dev, click: continue}
  "01-02":
    - {by: dev, reply: "The subscriber needs it in the mail."}
    - {by: pm, click: accept}
"""
SAID: Final = (
    "1. The dashboard must be exported as one PDF file, filters applied.",
    "2. Finance needs it every Monday.",
    "The subscriber needs it in the mail.",
)


def grow(root: Path) -> Path:
    """Write the two-step tree below `root`."""
    phase = root / "analysis" / "01-requirements"
    phase.mkdir(parents=True)
    (root / "analysis" / "roundtable.md").write_text(AGENT)
    first = STEP.format(number=1, title="What it does", output="requirements-spec.md")
    second = STEP.format(number=2, title="Who reads it", output="requirements-spec.md")
    (phase / "01-what.md").write_text(first)
    (phase / "02-who.md").write_text(second)
    return root
