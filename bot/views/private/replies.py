"""What one person is told: by the answer to a command, or as an ephemeral."""

from collections.abc import Mapping
from typing import Final

from bot.views.kit import menus
from bot.views.kit.blocks import Block, Message, actions, button, lines, message, rich_text
from bot.views.kit.phrases import Phrase, said
from core.domain.effects import ReplyKind
from core.domain.ids import SessionId

REPLIES: Final[Mapping[ReplyKind, Phrase]] = {
    "already-open": (
        "“{title}” is already under way here: {link|continue there}. "
        "Or choose another title to start something new.",
        "“{title}” is already under way here. `/roundtable resume {slug}` goes on with it; "
        "another title starts something new.",
        "That is already under way here. `/roundtable resume` goes on with it; "
        "another title starts something new.",
    ),
    "starting": (
        "“{title}” begins. The card comes to this channel in a moment.",
        "It begins. The card comes to this channel in a moment.",
    ),
    "nothing-to-resume": (
        "“{title}” is complete. There is nothing left to resume.",
        "There is no “{slug}” to resume in this channel. `/roundtable list` shows what there is.",
        "There is nothing to resume in this channel. "
        "`/roundtable analyze <title>` starts something new.",
    ),
    "resuming": ("“{title}” goes on in a moment.", "It goes on in a moment."),
    "already-going": (
        "“{title}” is already under way.",
        "It is already under way.",
    ),
    "not-in-channel": (
        # The words of ERR-SLACK-001.
        "I can't post in this channel. Add me with `/invite @Roundtable` and try again.",
    ),
    "cannot-post": (
        "{what} {helps} Nothing was started.",
        "I may not post in this channel, so nothing was started. "
        "Ask whoever looks after the channel to let me in, then run the command again.",
    ),
    "refused": (
        "I paused here. {what} {helps} Then `/roundtable resume` goes on; nothing is lost.",
        "I paused here: Slack did not take my message. `/roundtable resume` tries again.",
    ),
    "in-dm": (
        "I work in channels, where your team can answer, not in direct messages. Go to a channel, "
        "add me with `/invite @Roundtable` and type `/roundtable analyze <title>` there.",
    ),
    "used-menu": (
        "{by} was a little quicker and chose “{choice}”. Nothing else happened.",
        "“{choice}” was chosen here already. Nothing else happened.",
        "Somebody has already chosen here. Nothing else happened.",
    ),
    "used-by-you": (
        "You chose “{choice}” here already. Nothing else happened.",
        "You have chosen here already. Nothing else happened.",
    ),
    "not-yours": (
        "Only {owner}, who started this, or a workspace admin can do that.",
        "Only the person who started this, or a workspace admin, can do that.",
    ),
    "not-awaited": (
        "Only those who are asked here, or {owner}, who started this, can put a reminder off.",
        "Only those who are asked here, or the person who started this, can put a reminder off.",
    ),
    "unknown-choice": (
        "I don't know that choice any more. The latest message in the thread has the right ones.",
    ),
    "assumption-settled": (
        "That is settled already. The latest message in the thread shows what is still assumed.",
    ),
    "draft-unsupported": (
        "What was said meanwhile no longer supports that draft. Please answer in your own words.",
    ),
    "gone": ("That analysis is not there any more.",),
    "wrong-thread": (
        "We are in {thread}'s thread now: {link|continue there}.",
        "We are in {thread}'s thread now. Please answer there.",
        "We are in another thread now. The card has the link.",
    ),
    "ended-thread": (
        "“{title}” has ended, so I don't take in answers here any more.",
        "This has ended, so I don't take in answers here any more.",
    ),
    "nothing-before": ("This is the first step, so there is nothing to go back to.",),
    "depth-set": (
        "From {first} on, every phase is asked at {depth} depth.",
        "{phase} is asked at {depth} depth from now on.",
        "From now on I ask at {depth} depth.",
        "The depth is changed.",
    ),
    "cancelled": (
        "“{title}” is cancelled. What was written so far is kept.",
        "It is cancelled. What was written so far is kept.",
    ),
    "cancel-question": (
        "Cancel “{title}”? It ends here for everybody. What was written so far is kept.",
        "Cancel it? It ends here for everybody. What was written so far is kept.",
    ),
    "kept-going": ("“{title}” goes on as before.", "It goes on as before."),
    "not-taken-back": (
        "“{title}” was cancelled too long ago to be taken up again, or because of a password, key "
        "or token. Another title starts something new.",
        "That cannot be taken back any more.",
    ),
    "skip-question": (
        "That leaves out {steps}. They are listed as not asked, and can be asked later with Go "
        "back or Amend.",
        "That leaves out the rest of this phase.",
    ),
    "paused": (
        "“{title}” is paused. `/roundtable resume {slug}` goes on where it stopped.",
        "It is paused. `/roundtable resume {slug}` goes on where it stopped.",
        "It is paused. `/roundtable resume` goes on where it stopped.",
    ),
    "exporting": ("I'm packing the files. {export} to the thread in a moment.",),
    "nothing-to-export": ("There is nothing to export in this channel yet.",),
    "export-held-back": (
        "“{title}” holds back its files: it is halted because of a password, key or token. Once "
        "whoever started it, or an admin, has chosen in its thread how it goes on, export again.",
        "Its files are held back: it is halted because of a password, key or token. Once "
        "whoever started it, or an admin, has chosen in its thread how it goes on, export again.",
    ),
    "delete-question": (
        "This removes *{title}* for good: the session, all its answers and its folder.",
        "This removes it for good: the session, all its answers and its folder.",
    ),
    "delete-not-yours": ("Only the person who started this can delete it.",),
    "deleted": (
        "“{title}” is deleted, with its answers and its folder.",
        "It is deleted, with its answers and its folder.",
    ),
    "is-paused": (
        "“{title}” is paused. `/roundtable resume {slug}` goes on where it stopped.",
        "This is paused. `/roundtable resume` goes on where it stopped.",
    ),
    "is-halted": (
        "“{title}” is halted. Whoever started it, or an admin, chooses in its thread how it goes "
        "on.",
        "This is halted. Whoever started it, or an admin, chooses in its thread how it goes on.",
    ),
    "halted-now": (
        "I did not take that in: it holds {what}, and I keep nothing of that. Please delete the "
        "message and rotate the credential.",
        "I did not take that in: something is wrong with this analysis, and it is halted. Whoever "
        "started it chooses in its thread how it goes on; please say it again then.",
    ),
    "damaged": (
        "I did not take that in: what I stored of this analysis is damaged. Please tell whoever "
        "runs me.",
    ),
    "secret-title": (
        "That looks like a password, key or token, so I started nothing and kept nothing of it. "
        "Please choose a title without it, and rotate the credential.",
    ),
    "no-answer": (
        "That message is not counted as an answer anywhere, so there is nothing to take out. "
        "An answer has a ✓ under it.",
    ),
    "out-already": (
        "That message does not count as an answer now: it was taken out before, or withdrawn.",
    ),
    "not-your-answer": (
        "Only {by}, who wrote it, {owner}, who started this, or a workspace admin can do that.",
        "Only whoever wrote it or started this, or a workspace admin, can do that.",
    ),
    "taken-out": (
        "It no longer counts as an answer to “{step}”, and what rested on it is updated.",
        "It no longer counts as an answer, and what rested on it is updated.",
    ),
    "yours-taken-out": (
        "{by} took your answer out of “{step}”. If it should count, say it again in the thread.",
        "Your answer was taken out of “{step}”. If it should count, say it again in the thread.",
        "Your answer was taken out. If it should count, say it again in the thread.",
    ),
    "put-back": (
        "It counts as an answer to “{step}” again and has its ✓.",
        "It counts as an answer again.",
    ),
    "not-there": ("The message is not there any more, so it cannot be put back.",),
    "not-your-words": (
        "Only {by}, who said it, can confirm that.",
        "Only whoever said it can confirm that.",
    ),
    "left-out": ("It is left out, and does not count.",),
    "not-decider": (
        "{owner}, who started this, or {decider} can settle it. What you think counts all the "
        "same: react with 👍 or 👎 to the answer, or say how you see it.",
        "{owner}, who started this, can settle it. What you think counts all the same: react with "
        "👍 or 👎 to the answer, or say how you see it.",
        "Whoever started this can settle it, or whom they named. What you think counts all the "
        "same: react with 👍 or 👎 to the answer, or say how you see it.",
    ),
    "nothing-open": ("Nobody differs here any more, so there is nothing left to settle.",),
    "answer-gone": ("That answer is not there any more, so nothing was noted.",),
    "own-answer": (
        "That answer is your own: edit your message, or reply with what you think now.",
    ),
    "differ-by-reaction": (
        "The choice here is made already. React with 👎 to the answer itself: that still counts.",
    ),
    "nobody-else": (
        "Only you have answered here so far. Edit your message, or reply with what you think now.",
    ),
    "differs-noted": (
        "Noted: you see it differently from {by}. It stands in the step's message with your name.",
        "Noted: you see it differently. It stands in the step's message with your name.",
    ),
    "settled": ("Settled. It stands in the step's message with your name.",),
    "decider-named": (
        "{by} may settle what people differ on here, as you may.",
        "They may settle what people differ on here, as you may.",
    ),
    "decider-taken-back": ("You alone settle what people differ on here.",),
    "asked-to-decide": (
        "{by} asks you to decide where people differ in “{title}”: press Settle this on the step's "
        "message. They say: {reason}",
        "{by} asks you to decide where people differ in “{title}”: press Settle this on the step's "
        "message.",
        "You are asked to decide where people differ in “{title}”: press Settle this on the step's "
        "message.",
    ),
    "secret-sentence": (
        "I did not take that in: it looks like a password, key or token, and I keep nothing of it. "
        "Please say it without, and rotate the credential.",
    ),
    "busy": ("I'm still busy with the last thing you chose. Please try again in a moment.",),
}


START_AGAIN: Final = "start:again"
DELETE_CONFIRM: Final = "delete:confirm"
PAUSED: Final[frozenset[ReplyKind]] = frozenset({"paused", "is-paused"})

# What can be done about what was said: the choice of the menu that the reply brings along.
CHOICES: Final[Mapping[ReplyKind, tuple[str, ...]]] = {
    "taken-out": ("put-back",),
    "cancel-question": ("cancel-now", "keep-going"),
    "skip-question": ("skip",),
}


def reply_message(kind: ReplyKind, args: Mapping[str, str]) -> Message:
    return message(rich_text(lines([said(REPLIES[kind], args)])), _control(kind, args))


def _control(kind: ReplyKind, args: Mapping[str, str]) -> Block | None:
    if args.get("again"):
        return actions([button("Try again in a form", START_AGAIN, args["again"])])
    if kind in PAUSED and args.get("session"):
        return menus.resume_control(SessionId(args["session"]))
    if kind == "cancelled" and args.get("session"):
        return menus.take_back_control(SessionId(args["session"]))
    if kind == "delete-question" and args.get("session"):
        return actions([_delete_button(args["session"])])
    choices, menu = CHOICES.get(kind, ()), args.get("menu")
    if not choices or not menu:
        return None
    about = f":{args['about']}" if args.get("about") else ""
    return actions([_button(choice, f"{choice}{about}", menu) for choice in choices])


def _button(choice: str, named: str, menu: str) -> Block:
    style = menus.STYLES.get(choice, "")
    return button(menus.label_of(choice), f"{menus.ACTION}{named}", menu, style=style)


def _delete_button(session: str) -> Block:
    """Its dialog asks once more."""
    return button(
        menus.label_of("delete"),
        DELETE_CONFIRM,
        session,
        style="danger",
        confirm=menus.CONFIRMATIONS["delete"],
    )
