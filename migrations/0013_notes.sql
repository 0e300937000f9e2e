-- The player's private notes on a game. They stand in no letter and in no export that does not ask for them.

CREATE TABLE notes (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    game  INTEGER NOT NULL REFERENCES games (id),
    ply   INTEGER NOT NULL CONSTRAINT note_ply CHECK (ply >= 0),           -- the last ply that was played then; 0: none
    text  TEXT NOT NULL CONSTRAINT note_text CHECK (text <> ''),
    CONSTRAINT note_once UNIQUE (game, ply, text)
) STRICT;
