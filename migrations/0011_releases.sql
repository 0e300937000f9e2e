-- Moves that the player released: the program sends them to the opponent itself. Nothing else ever goes to an opponent.

CREATE TABLE releases (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    game             INTEGER NOT NULL REFERENCES games (id),
    ply              INTEGER NOT NULL CONSTRAINT release_ply CHECK (ply >= 1),
    message_id       TEXT NOT NULL CONSTRAINT release_message_id_once UNIQUE,
    recipients       TEXT NOT NULL CONSTRAINT release_recipients CHECK (json_valid(recipients)), -- the opponent, the director, the player's own copy
    bytes            BLOB NOT NULL,                                        -- the whole mail: every try sends the same
    not_before       TEXT NOT NULL,                                        -- until then it can be recalled
    state            TEXT NOT NULL CONSTRAINT release_state CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'unknown', 'recalled')),
    attempts         INTEGER NOT NULL,
    last_attempt_at  TEXT,
    next_attempt_at  TEXT,                                                 -- NULL: as soon as it may
    last_error       TEXT,
    said             TEXT,                                                 -- the server's answer, or what else proves it
    released_at      TEXT NOT NULL
) STRICT;
-- At most one mail per own move.
CREATE UNIQUE INDEX release_one_per_move ON releases (game, ply) WHERE state NOT IN ('recalled', 'failed');
CREATE INDEX releases_by_state ON releases (state);
