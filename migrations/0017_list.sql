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
