-- What bites next: which games have changed since they were summed up, and what the player was told.

-- Raised by the triggers below on every write to a game or to a part of it that a summary may show, whoever writes.
ALTER TABLE games ADD COLUMN version INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER games_version AFTER UPDATE ON games WHEN new.version = old.version
BEGIN UPDATE games SET version = version + 1 WHERE id = new.id; END;
CREATE TRIGGER players_version_insert AFTER INSERT ON players
BEGIN UPDATE games SET version = version + 1 WHERE id = new.game; END;
CREATE TRIGGER players_version_update AFTER UPDATE ON players
BEGIN UPDATE games SET version = version + 1 WHERE id IN (old.game, new.game); END;
CREATE TRIGGER players_version_delete AFTER DELETE ON players
BEGIN UPDATE games SET version = version + 1 WHERE id = old.game; END;
CREATE TRIGGER addresses_version_insert AFTER INSERT ON addresses
BEGIN UPDATE games SET version = version + 1 WHERE id = new.game; END;
CREATE TRIGGER addresses_version_update AFTER UPDATE ON addresses
BEGIN UPDATE games SET version = version + 1 WHERE id IN (old.game, new.game); END;
CREATE TRIGGER addresses_version_delete AFTER DELETE ON addresses
BEGIN UPDATE games SET version = version + 1 WHERE id = old.game; END;
CREATE TRIGGER moves_version_insert AFTER INSERT ON moves
BEGIN UPDATE games SET version = version + 1 WHERE id = new.game; END;
CREATE TRIGGER moves_version_update AFTER UPDATE ON moves
BEGIN UPDATE games SET version = version + 1 WHERE id IN (old.game, new.game); END;
CREATE TRIGGER moves_version_delete AFTER DELETE ON moves
BEGIN UPDATE games SET version = version + 1 WHERE id = old.game; END;
CREATE TRIGGER conditionals_version_insert AFTER INSERT ON conditionals
BEGIN UPDATE games SET version = version + 1 WHERE id = new.game; END;
CREATE TRIGGER conditionals_version_update AFTER UPDATE ON conditionals
BEGIN UPDATE games SET version = version + 1 WHERE id IN (old.game, new.game); END;
CREATE TRIGGER conditionals_version_delete AFTER DELETE ON conditionals
BEGIN UPDATE games SET version = version + 1 WHERE id = old.game; END;
CREATE TRIGGER plans_version_insert AFTER INSERT ON plans
BEGIN UPDATE games SET version = version + 1 WHERE id = new.game; END;
CREATE TRIGGER plans_version_update AFTER UPDATE ON plans
BEGIN UPDATE games SET version = version + 1 WHERE id IN (old.game, new.game); END;
CREATE TRIGGER plans_version_delete AFTER DELETE ON plans
BEGIN UPDATE games SET version = version + 1 WHERE id = old.game; END;
CREATE TRIGGER leaves_version_insert AFTER INSERT ON leaves
BEGIN UPDATE games SET version = version + 1 WHERE id = new.game; END;
CREATE TRIGGER leaves_version_update AFTER UPDATE ON leaves
BEGIN UPDATE games SET version = version + 1 WHERE id IN (old.game, new.game); END;
CREATE TRIGGER leaves_version_delete AFTER DELETE ON leaves
BEGIN UPDATE games SET version = version + 1 WHERE id = old.game; END;
CREATE TRIGGER clock_notes_version_insert AFTER INSERT ON clock_notes
BEGIN UPDATE games SET version = version + 1 WHERE id = new.game; END;
CREATE TRIGGER clock_notes_version_update AFTER UPDATE ON clock_notes
BEGIN UPDATE games SET version = version + 1 WHERE id IN (old.game, new.game); END;
CREATE TRIGGER clock_notes_version_delete AFTER DELETE ON clock_notes
BEGIN UPDATE games SET version = version + 1 WHERE id = old.game; END;

-- What the lists show of a game, made beforehand: `status` need not replay it. Only a help: a summary of another version, or of
-- another program, is not looked at.
CREATE TABLE summaries (
    game       INTEGER PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    version    INTEGER NOT NULL,                                           -- of the game when it was summed up
    made_by    TEXT NOT NULL,                                              -- the program and the settings that it depends on
    until_day  TEXT NOT NULL,                                              -- the last day that it can tell of
    body       TEXT NOT NULL
) STRICT;

-- What the player was told once and is not told again. Written with the mail that tells it.
CREATE TABLE told (
    cause   TEXT PRIMARY KEY NOT NULL,                                     -- game/ply/mark/date, or digest/date
    outbox  INTEGER REFERENCES outbox (id),                                -- NULL: there was nothing to tell
    at      TEXT NOT NULL
) STRICT;

-- The newest mail vouches for the clock of the machine.
CREATE INDEX mails_by_taken_at ON mails (taken_at);
-- Games whose last move came with statements that differ from the record.
CREATE INDEX verdicts_disputed ON verdicts (game, mail) WHERE discrepancies <> '[]';
