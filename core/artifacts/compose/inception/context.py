"""`discovery-context.json`: all of an inception as one value, the same shape in both modes.

Every field is there, in this order; where nobody said anything it is an empty text or list. Its
schema stands in docs/schemas/discovery-context.schema.json.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Mode = Literal["party", "classic"]
Vote = Literal["no vote", "unanimous", "majority", "split"]
SkillStatus = Literal["said", "has", "gap"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Project(_Part):
    title: str
    slug: str


class Brief(_Part):
    """Texts in people's own words; of the purpose, a line for each thing said."""

    purpose: str
    users: list[str]
    domain: list[str] = Field(description="Words of the trade, laws, contracts, house rules.")
    constraints: list[str]
    success: list[str]
    scope: list[str]
    out_of_scope: list[str]


class StackChoice(_Part):
    area: str = Field(description="Empty where nobody named one.")
    choice: str
    reason: str
    consensus: Vote = Field(description="The classic mode has no vote.")


class Component(_Part):
    name: str = Field(description="Empty for a part that was told without a name.")
    job: str
    leaves: str = Field(description="What it must not do or know, and leaves to others.")


class Decision(_Part):
    decision: str
    reason: str


class Architecture(_Part):
    components: list[Component]
    connections: list[str]
    decisions: list[Decision]


class Entity(_Part):
    name: str
    fields: list[str]


class DataModel(_Part):
    entities: list[Entity]
    relations: list[str]
    retention: list[str]


class Level(_Part):
    level: str = Field(description="Empty where nobody named one.")
    covers: str


class Testing(_Part):
    levels: list[Level]
    gaps: list[str]


class Article(_Part):
    number: int = Field(description="Stays the article's own; a withdrawn one leaves a gap.")
    article: str
    reason: str


class Skill(_Part):
    skill: str
    status: SkillStatus = Field(description="said: named, and nobody said whether the team has it.")


class Iteration(_Part):
    length: str
    settings: list[str]


class Walkthrough(_Part):
    constitution_reviewed: bool = Field(
        description="Whether somebody said which articles hold or are to change."
    )
    permissions: list[str]
    iteration: Iteration
    next_steps: list[str]
    remarks: list[str] = Field(description="What else was said at the walkthrough.")


class Source(_Part):
    who: str
    permalink: str = Field(description="Empty for a draft that was confirmed with a click.")


class DiscoveryContext(BaseModel):
    """What an inception found out. Keys that people add at the top stay."""

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)

    version: Literal[1] = Field(alias="schema")
    project: Project
    mode: Mode
    brief: Brief
    stack: list[StackChoice]
    architecture: Architecture
    data_model: DataModel
    testing: Testing
    constitution: list[Article]
    skills: list[Skill]
    walkthrough: Walkthrough
    open_questions: list[str]
    assumptions: list[str] = Field(description="What was left open, and what people assumed.")
    sources: list[Source]
    artifacts: list[str] = Field(description="The files in the folder that were written.")
