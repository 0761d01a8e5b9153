"""Whether a party is worth talking to, as far as that can be measured.

A party with a finding here runs all the same; `steps check --strict` is for whoever writes it.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import floor

from core.content import prose, questions
from core.content.step_style import EASE_MIN, PLACEHOLDER, QUESTION_WORDS_MAX, STYLE
from core.domain.party import PARTY_FILE, Member, Party
from core.domain.steps.playbook import StepFault


def review(party: Party) -> Iterator[StepFault]:
    """Everything to improve in what personas ask, each with its place in the file."""
    for number, member in enumerate(party.members, start=1):
        place = f"personas[{number}]"
        yield from _of_texts(f"{place}.questions", [question.text for question in member.questions])
        yield from _alike(f"{place}.questions", member)


def _of_texts(place: str, texts: Sequence[str]) -> Iterator[StepFault]:
    for number, text in enumerate(texts, start=1):
        yield from _of_text(f"{place}[{number}].text", text)
    ease = prose.reading_ease("\n".join(f"- {text}" for text in texts))
    if ease is not None and ease < EASE_MIN:
        message = f"This is hard to read: a reading ease of {floor(ease)}."
        hint = f"at least {EASE_MIN:.0f}: shorter sentences, shorter words"
        yield _found(place, str(floor(ease)), message, hint)


def _of_text(place: str, text: str) -> Iterator[StepFault]:
    asked_questions = questions.asked(text)
    if not asked_questions:
        yield _found(place, text, "This asks nothing, and people are there to answer.", text)
    for question in asked_questions:
        if not questions.is_open(question):
            yield _found(place, question, "Yes or no would answer this question.", question)
        words = len(prose.words(question))
        if words > QUESTION_WORDS_MAX:
            message = f"A question has {words} words, and {QUESTION_WORDS_MAX} are enough."
            yield _found(place, question, message, question)
    if placeholder := PLACEHOLDER.search(text):
        yield _found(place, placeholder[0], f"There is a placeholder: {placeholder[0]}", text)


def _alike(place: str, member: Member) -> Iterator[StepFault]:
    """One persona asks each thing once; two of them may ask the same, which is then merged."""
    for question, other in combinations(member.questions, 2):
        alike = questions.likeness(questions.meant(question.text), questions.meant(other.text))
        if alike >= questions.ALIKE_FROM:
            message = f"{member.persona.name} asks the same twice."
            yield _found(place, f"{alike:.2f}", message, f"{question.text} / {other.text}")


def _found(place: str, value: str, message: str, hint: str) -> StepFault:
    return StepFault(STYLE, PARTY_FILE, message, place, value, hint)
