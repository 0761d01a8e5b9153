"""The debate of a council: a question to another member, a reply from what people said, an end."""

from collections.abc import Iterator, Sequence
from typing import Final

from core.brains.script.council import transcript, vision
from core.brains.script.council.brief import brief
from core.brains.script.council.domains import DOMAINS, clause_about, domains_of, unsaid
from core.brains.script.council.quoting import begun, fit, inside, listed, occurs, quote, quotes_in
from core.brains.script.council.transcript import first_of_each, heard, name_of, sayings, says
from core.brains.script.council.vision import DomainAnswers
from core.brains.text.wording import words_of
from core.domain.ids import PersonaKey
from core.domain.party.contributions import ConsultRequest, Contribution

DOMAINS_SHOWN_MAX: Final = 3  # in a position
REPLIES_SHOWN_MAX: Final = 2


# ── one question ───────────────────────────────────────────────────────────────────────────────


def cross_question(request: ConsultRequest) -> Contribution:
    """To the next at the table: on what people differ in, what it passed over, or left open.

    Whoever sits nearer asks the first thing; so two do not ask the same of a third.
    """
    for place, persona in enumerate(_interpreters(request)):
        if questions := _questions(request, persona)[place : place + 1]:
            return Contribution(request.member.key, "cross-question", fit(questions), to=persona)
    return Contribution(request.member.key, "cross-question", "")


def _interpreters(request: ConsultRequest) -> list[PersonaKey]:
    """Those who gave an interpretation, beginning with the one after this member."""
    spoke = {turn.persona for turn in request.said if turn.want == "interpretation" and turn.text}
    member, order = request.member.key, list(request.phase.members)
    start = order.index(member) + 1 if member in order else 0
    ring = (*order[start:], *order[:start])
    return [key for key in ring if key in spoke and key != member]


def _questions(request: ConsultRequest, persona: PersonaKey) -> list[str]:
    questions = [question for _, asker, question in request.questions if asker == persona]
    on = vision.answers_on(questions, heard(request))
    return [
        *_ask_about_differences(request, on),
        *_ask_about_unquoted(request, persona, on),
        *_ask_for_unsaid(request, on),
    ]


def _ask_about_differences(request: ConsultRequest, on: Sequence[DomainAnswers]) -> Iterator[str]:
    for difference in vision.differences_in(request, on):
        if sides := vision.differing(request, difference):
            yield f"{sides} Which of them do you go by?"


def _ask_about_unquoted(
    request: ConsultRequest, persona: PersonaKey, on: Sequence[DomainAnswers]
) -> Iterator[str]:
    turn = (persona, "interpretation")
    read = [line.text for line in request.said if (line.persona, line.want) == turn]
    for answers in on if read else ():
        for line in answers.lines:
            piece = quote(line.text, clause_about(answers.domain))
            if piece and not occurs(piece, read[-1]):
                opening = begun(says(request, line, piece))
                yield f"{opening}. You did not quote it; what else was said of it?"


def _ask_for_unsaid(request: ConsultRequest, on: Sequence[DomainAnswers]) -> Iterator[str]:
    """What nobody said in the other's domains, if something was said in one's own."""
    is_heard = any(answers.lines for answers in vision.lens_of(request))
    for answers in on if is_heard else ():
        if not answers.lines:
            yield f"Has anybody said {unsaid(answers.domain)}? I find no line on it."


# ── the reply ──────────────────────────────────────────────────────────────────────────────────


def reply(request: ConsultRequest) -> Contribution:
    """From the answers of people, or that nobody has said it; empty where nobody asked."""
    question_turn = _asked_of(request)
    if not question_turn:
        return Contribution(request.member.key, "reply", "")
    text = _quote_both(request, question_turn.text) or _quote_more(request, question_turn.text)
    text = text or _say_nothing_said(request, question_turn.text)
    return Contribution(request.member.key, "reply", fit([text]), to=question_turn.persona)


def _asked_of(request: ConsultRequest) -> Contribution | None:
    """The first question to this member that it has not replied to yet."""
    member = request.member.key
    replied = {turn.to for turn in request.said if (turn.persona, turn.want) == (member, "reply")}
    questions = (
        turn
        for turn in request.said
        if (turn.want, turn.to) == ("cross-question", member)
        and turn.text
        and turn.persona not in replied
        and request.neighbour in (None, turn.persona)
    )
    return next(questions, None)


def _quote_both(request: ConsultRequest, question: str) -> str:
    """Where two people say two things, a persona does not choose between them."""
    by_name: dict[str, str] = {}
    for piece in quotes_in(question):
        for line in heard(request):
            if occurs(piece, line.text):
                by_name.setdefault(name_of(request, line.by), piece)
    if len(by_name) < 2:
        return ""
    sides = [f"“{piece}” from {name}" for name, piece in by_name.items()]
    return f"By neither alone: {listed(sides)} both stand until one of them says which holds."


def _quote_more(request: ConsultRequest, question: str) -> str:
    """What else was said of the same domain; of none that is known, in the same words."""
    lines, pieces = heard(request), quotes_in(question)
    quoted = [line for line in lines if any(occurs(piece, line.text) for piece in pieces)]
    about = _about(question) or tuple(key for line in quoted for key in domains_of(line)[:1])
    wanted = words_of(" ".join(pieces) or question)
    others = [
        line
        for line in lines
        if line not in quoted
        and not line.is_open
        and (set(about) & set(domains_of(line)) if about else wanted & words_of(line.text))
    ]
    quotes = sayings(request, transcript.several(others)[:REPLIES_SHOWN_MAX])
    return f"{begun(quotes)}. More than that nobody has said." if quotes else ""


def _about(question: str) -> tuple[str, ...]:
    """The domains that a question names as open."""
    return tuple(key for key, domain in DOMAINS.items() if domain.unsaid in question)


def _say_nothing_said(request: ConsultRequest, question: str) -> str:
    if about := _about(question):
        waiting = [
            f"{number}. {council_question.text}"
            for number, _, council_question in request.questions
            if council_question.domain in about
        ]
        open_ones = f": {' '.join(waiting)}" if waiting else "."
        return f"Nobody has said {listed(map(unsaid, about))}. It stays open{open_ones}"
    if pieces := quotes_in(question):
        return f"I read “{pieces[0]}” as it was said. Nobody has said more about it."
    return "Nobody has said that, so it stays an open question."


# ── the position ───────────────────────────────────────────────────────────────────────────────


def position(request: ConsultRequest) -> Contribution:
    """What its list begins with, the words of people on it, and what is missing."""
    member, lens = request.member, vision.lens_of(request)
    built_on = _first_quotes(request, lens)
    missing = [unsaid(on.domain) for on in lens if not on.lines]
    sentences = [f"First on my list: {inside(member.focus[0])}." if member.focus else ""]
    if built_on:
        sentences.append(f"From your answers: {listed(built_on[:DOMAINS_SHOWN_MAX])}.")
        sentences.append(vision.not_said(request, missing))
    elif vision.is_foreign_to(request):
        sentences.append("I read English only, so I cannot weigh what was said.")
    else:
        sentences.append("Nobody has said anything for my list yet.")
    has_questions = request.phase.protocol == "question-broadcast-debate"
    # elsewhere the proposer and the writers claim
    claims = brief(request).claims if has_questions else ()
    return Contribution(member.key, "position", fit(sentences), claims=claims)


def _first_quotes(request: ConsultRequest, lens: Sequence[DomainAnswers]) -> list[str]:
    """`“…” (Priya)` of the first line of each domain; a line of two domains only once."""
    quotes: dict[int, str] = {}
    for on in lens:
        for line in first_of_each(on.lines)[:1]:
            piece = quote(line.text, clause_about(on.domain))
            quotes[id(line)] = f"“{piece}” ({name_of(request, line.by)})" if piece else ""
    return list(filter(None, quotes.values()))
