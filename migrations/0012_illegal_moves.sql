-- Illegal moves that the player had counted into the time of the legal move sent after them. One that was only held costs nobody a day.

CREATE TABLE illegal_moves (
    game         INTEGER NOT NULL REFERENCES games (id),
    ply          INTEGER NOT NULL CONSTRAINT illegal_move_ply CHECK (ply >= 1), -- the ply that it was meant for
    sent_day     TEXT NOT NULL,
    noticed_day  TEXT NOT NULL,                                            -- its sender learned on it that the move is illegal
    PRIMARY KEY (game, ply),
    CONSTRAINT illegal_move_order CHECK (sent_day <= noticed_day)
) STRICT;

-- A summary shows the clocks.
CREATE TRIGGER illegal_moves_version_insert AFTER INSERT ON illegal_moves
BEGIN UPDATE games SET version = version + 1 WHERE id = new.game; END;
CREATE TRIGGER illegal_moves_version_update AFTER UPDATE ON illegal_moves
BEGIN UPDATE games SET version = version + 1 WHERE id IN (old.game, new.game); END;
CREATE TRIGGER illegal_moves_version_delete AFTER DELETE ON illegal_moves
BEGIN UPDATE games SET version = version + 1 WHERE id = old.game; END;

-- Few mails are illegal, and every game asks for its own.
CREATE INDEX verdicts_illegal ON verdicts (game) WHERE outcome = 'illegal';
CREATE INDEX sent_illegal ON sent (game) WHERE outcome = 'illegal';
