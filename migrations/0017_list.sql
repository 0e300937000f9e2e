-- The lists read one table from its start to its end, running games first: every game has its row there.

DROP TABLE summaries;
-- Only a help: the text is made again from the game at any time.
CREATE TABLE summaries (
    over       INTEGER NOT NULL CONSTRAINT summary_over CHECK (over IN (0, 1)),
    game       INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    until_day  TEXT,                                                       -- the last day that it can tell of
    body       TEXT,                                                       -- NULL: not summed up since the game changed
    PRIMARY KEY (over, game)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX summaries_by_game ON summaries (game);
INSERT INTO summaries (over, game) SELECT result IS NOT NULL, id FROM games;

CREATE TRIGGER summaries_insert AFTER INSERT ON games
BEGIN INSERT INTO summaries (over, game) VALUES (new.result IS NOT NULL, new.id); END;
CREATE TRIGGER summaries_outdated AFTER UPDATE OF version ON games
BEGIN UPDATE summaries SET over = new.result IS NOT NULL, until_day = NULL, body = NULL WHERE game = new.id; END;

-- The program and the settings that all of them depend on.
ALTER TABLE installation ADD COLUMN summed_up_by TEXT NOT NULL DEFAULT '';

-- The texts of so many running games as one: a list of thousands is few rows.
CREATE TABLE pages (
    number     INTEGER PRIMARY KEY,                                        -- of the games whose keys divided by 256 give it
    until_day  TEXT NOT NULL,                                              -- the last day that all of them can tell of
    body       TEXT NOT NULL
) STRICT;
CREATE TRIGGER pages_outdated_insert AFTER INSERT ON summaries
BEGIN DELETE FROM pages WHERE number = new.game / 256; END;
CREATE TRIGGER pages_outdated_update AFTER UPDATE ON summaries
BEGIN DELETE FROM pages WHERE number IN (old.game / 256, new.game / 256); END;
CREATE TRIGGER pages_outdated_delete AFTER DELETE ON summaries
BEGIN DELETE FROM pages WHERE number = old.game / 256; END;

-- Of a mail that is known, whether all is settled.
CREATE INDEX verdicts_by_mail ON verdicts (mail, game);
