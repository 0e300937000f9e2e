-- The player's last move went out again, since the first mail with it came back, or since the opponent repeated his own as if he had no
-- answer: two more kinds of notes. SQLite changes no CHECK, so the table is made anew.

CREATE TABLE clock_notes_again (
    game       INTEGER NOT NULL REFERENCES games (id),
    position   INTEGER NOT NULL,
    ply        INTEGER NOT NULL CONSTRAINT clock_note_ply CHECK (ply >= 1),  -- the ply being thought about
    kind       TEXT NOT NULL CONSTRAINT clock_note_kind CHECK (kind IN ('announced', 'repeated', 'returned', 'missed')),
    on_day     TEXT NOT NULL,                                             -- it was said, or went out again
    until_day  TEXT,                 -- how long the thinking side said it would need; of the new kinds, when it came back, or he repeated his own
    PRIMARY KEY (game, position)
) STRICT;
INSERT INTO clock_notes_again SELECT game, position, ply, kind, on_day, until_day FROM clock_notes;
DROP TABLE clock_notes;
ALTER TABLE clock_notes_again RENAME TO clock_notes;

-- A summary shows the clocks.
CREATE TRIGGER clock_notes_version_insert AFTER INSERT ON clock_notes
BEGIN UPDATE games SET version = version + 1 WHERE id = new.game; END;
CREATE TRIGGER clock_notes_version_update AFTER UPDATE ON clock_notes
BEGIN UPDATE games SET version = version + 1 WHERE id IN (old.game, new.game); END;
CREATE TRIGGER clock_notes_version_delete AFTER DELETE ON clock_notes
BEGIN UPDATE games SET version = version + 1 WHERE id = old.game; END;
