"""The hot statements, in one place: an answer or a click runs these and little else.

Written as text because the ORM costs ten times the commit and Core two to four times.
"""

from typing import Final

SEEN: Final = "SELECT 1 FROM deliveries WHERE key = ?"
MARK_SEEN: Final = "INSERT OR IGNORE INTO deliveries(key, at) VALUES (?, ?)"

VERSION: Final = "SELECT version FROM sessions WHERE id = ?"
LOAD: Final = "SELECT doc, version FROM sessions WHERE id = ?"
COLUMNS: Final = """SELECT s.team, s.channel, s.slug, s.title, s.owner, s.status, s.version,
    (SELECT r.id FROM runs r WHERE r.session = s.id ORDER BY r.started_at DESC LIMIT 1)
    FROM sessions s WHERE s.id = ?"""
BEGIN_RUN: Final = "INSERT INTO runs(id, session, started_at) VALUES (?, ?, ?)"
SAVE_FAULT: Final = """INSERT OR IGNORE INTO faults(id, session, place, code, at, doc) VALUES
    (?1, ?2, (SELECT coalesce(max(place), 0) + 1 FROM faults WHERE session = ?2), ?3, ?4, ?5)"""
LOAD_STEPS: Final = "SELECT doc FROM steps WHERE session = ? AND phase = ? ORDER BY place, id"
INSERT: Final = """INSERT INTO sessions
    (id, team, channel, slug, title, owner, status, doc, version, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?)"""
REPLACE: Final = """UPDATE sessions SET doc = ?, version = version + 1, updated_at = ?
    WHERE id = ? AND version = ?"""
# These have indexes, which are written even where the value stays as it was.
REPLACE_COLUMNS: Final = "UPDATE sessions SET status = ?, slug = ?, owner = ? WHERE id = ?"

THREAD: Final = "SELECT session, persona FROM threads WHERE channel = ? AND ts = ?"
ASKED: Final = """SELECT step FROM posts WHERE session = ? AND thread_ts = ? AND ts < ?
    AND target >= 'prompt:' AND target < 'prompt;' ORDER BY ts DESC LIMIT 1"""
STEP: Final = "SELECT doc FROM steps WHERE session = ? AND id = ?"
SAVE_STEP: Final = """INSERT INTO steps(session, id, phase, place, doc) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT(session, id) DO UPDATE
    SET phase = excluded.phase, doc = excluded.doc,
    place = CASE WHEN excluded.place < 0 THEN place ELSE excluded.place END"""

ANSWER: Final = "SELECT doc, session FROM answers WHERE id = ? AND current = 1"
ANSWER_OWNER: Final = "SELECT session FROM answers WHERE id = ? AND current = 1"
RETIRE_ANSWER: Final = "UPDATE answers SET current = 0 WHERE session = ? AND id = ? AND current = 1"
SAVE_ANSWER: Final = """INSERT INTO answers(session, id, revision, step, current, ts, doc)
    VALUES (?, ?, ?, ?, 1, ?, ?)"""

NAMED_ANSWER: Final = "SELECT doc FROM answers WHERE session = ? AND id = ? AND current = 1"
STANCES: Final = """SELECT doc FROM stances WHERE session = ? AND (? IS NULL OR step = ?)
    ORDER BY step, answer, by"""
STANCES_ON: Final = "SELECT doc FROM stances WHERE session = ? AND answer = ? ORDER BY by"
SAVE_STANCE: Final = """INSERT OR REPLACE INTO stances(session, answer, by, step, doc)
    VALUES (?, ?, ?, ?, ?)"""
SETTLEMENTS: Final = """SELECT doc FROM settlements WHERE session = ? AND (? IS NULL OR step = ?)
    ORDER BY place"""
SAVE_SETTLEMENT: Final = """INSERT INTO settlements(session, place, step, doc)
    SELECT ?, coalesce(max(place), 0) + 1, ?, ? FROM settlements WHERE session = ?"""

MENU: Final = "SELECT session, doc FROM menus WHERE id = ?"
MENU_OWNER: Final = "SELECT session FROM menus WHERE id = ?"
SAVE_MENU: Final = """INSERT INTO menus(id, session, state, doc) VALUES (?, ?, ?, ?)
    ON CONFLICT(id) DO UPDATE SET state = excluded.state, doc = excluded.doc"""

SEND: Final = """INSERT INTO outbox
    (session, id, lane, kind, target, rank, doc, since, due, attempts)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?8, ?8, 0)"""
DROP_REPAINT: Final = "DELETE FROM outbox WHERE session = ? AND target = ? AND attempted_at IS NULL"
# Posts in their order. Of what may be passed, first what need not wait for its time.
HEAD: Final = """SELECT id, kind, doc, since, due, attempts, attempted_at, attempt, rank FROM outbox
    WHERE session = ? AND lane = ? AND due IS NOT NULL
    ORDER BY rank, CASE rank WHEN 0 THEN 0 ELSE due END, id LIMIT ?"""
GIVE_WAY: Final = "UPDATE outbox SET rank = 1, target = ? WHERE session = ? AND id = ?"
ATTEMPTED: Final = "UPDATE outbox SET attempted_at = ?, attempt = ? WHERE session = ? AND id = ?"
DONE: Final = "DELETE FROM outbox WHERE session = ? AND id = ?"
SAVE_POST: Final = """INSERT OR REPLACE INTO posts(session, target, channel, ts, thread_ts, step)
    VALUES (?, ?, ?, ?, ?, ?)"""

JOURNAL: Final = """INSERT INTO journal
    (session, place, at, kind, by, doc, extra, checksum, conditions, effects)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""

CLAIMS: Final = "SELECT doc FROM claims WHERE session = ? ORDER BY step"
STEP_CLAIMS: Final = "SELECT doc FROM claims WHERE session = ? AND step = ?"
SAVE_CLAIMS: Final = "INSERT OR REPLACE INTO claims(session, step, doc) VALUES (?, ?, ?)"
DROP_CLAIMS: Final = "DELETE FROM claims WHERE session = ? AND step = ?"
SET_BASELINE: Final = "UPDATE steps SET accepted = ? WHERE session = ? AND phase = ?"
KEEP_BASELINE: Final = """UPDATE steps SET accepted = ?
    WHERE session = ? AND id = ? AND accepted = ?"""
BASELINE: Final = """SELECT CASE s.accepted WHEN '' THEN c.doc ELSE s.accepted END
    FROM steps s LEFT JOIN claims c ON c.session = s.session AND c.step = s.id
    WHERE s.session = ? AND s.phase = ? AND s.accepted IS NOT NULL ORDER BY s.place"""
