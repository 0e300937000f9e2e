-- Questions to opponents about held mails, drafted for the player, who sends them himself. What they ask about stays held.
CREATE TABLE questions (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    verdict   INTEGER NOT NULL REFERENCES verdicts (id),                   -- the held mail in its game; more than one only where he asked again
    outbox    INTEGER NOT NULL CONSTRAINT question_letter_once UNIQUE REFERENCES outbox (id),
    asked_at  TEXT NOT NULL
) STRICT;
CREATE INDEX questions_by_verdict ON questions (verdict);
