-- What the player really sent: his own mails, read back from the Sent folder or from copies to himself, and what came back of them.

-- What became of one mail of his in one game. The move itself is in `moves`, if it counts.
CREATE TABLE sent (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    mail      INTEGER NOT NULL REFERENCES mails (id),
    game      INTEGER NOT NULL REFERENCES games (id),
    ply       INTEGER NOT NULL CONSTRAINT sent_ply CHECK (ply >= 1),       -- the own ply that it is about
    outcome   TEXT NOT NULL CONSTRAINT sent_outcome CHECK (outcome IN ('recorded', 'repeated', 'differs', 'illegal',
                  'unreadable', 'second', 'review')),
    numeric   TEXT,                                                        -- the legal move that it gives, if it gives one
    supplied  INTEGER NOT NULL CONSTRAINT sent_supplied CHECK (supplied IN (0, 1)), -- 1: the ply was on record without dates of a mail
    open      INTEGER NOT NULL CONSTRAINT sent_open CHECK (open IN (0, 1)),         -- 1: flagged, until the player or the opponent settles it
    CONSTRAINT sent_once UNIQUE (mail, game)
) STRICT;
CREATE INDEX sent_by_game ON sent (game, ply);

-- What came back: reports of mail servers that a mail of the player's did not arrive, or not yet.
CREATE TABLE bounces (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    mail        INTEGER NOT NULL REFERENCES mails (id),                    -- the report
    game        INTEGER NOT NULL REFERENCES games (id),
    ply         INTEGER NOT NULL CONSTRAINT bounce_ply CHECK (ply >= 1),
    message_id  TEXT NOT NULL,                                             -- the mail of ours that it names
    recipient   TEXT,                                                      -- to whom it could not be delivered, if the report says so
    status      TEXT,                                                      -- RFC 3463: 5.1.1 and the like
    delayed     INTEGER NOT NULL CONSTRAINT bounce_delayed CHECK (delayed IN (0, 1)), -- 1: it is still tried, nothing is lost
    open        INTEGER NOT NULL CONSTRAINT bounce_open CHECK (open IN (0, 1)),       -- 1: nothing has shown yet that it arrived
    CONSTRAINT bounce_once UNIQUE (mail, game, ply)
) STRICT;
CREATE INDEX bounces_by_game ON bounces (game, ply);

-- The player's last move as the opponent's held mail repeats it, where that is another one than on record.
ALTER TABLE verdicts ADD COLUMN read_as TEXT;

-- A summary shows no silence of an opponent whom the move has not reached.
CREATE TRIGGER bounces_version_insert AFTER INSERT ON bounces
BEGIN UPDATE games SET version = version + 1 WHERE id = new.game; END;
CREATE TRIGGER bounces_version_update AFTER UPDATE ON bounces
BEGIN UPDATE games SET version = version + 1 WHERE id IN (old.game, new.game); END;
CREATE TRIGGER bounces_version_delete AFTER DELETE ON bounces
BEGIN UPDATE games SET version = version + 1 WHERE id = old.game; END;
