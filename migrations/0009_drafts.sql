-- The finished drafts in the mailbox's own folder for drafts, and every Message-ID that a reply of ours was ever given.

CREATE TABLE drafts (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    game             INTEGER NOT NULL REFERENCES games (id),
    ply              INTEGER NOT NULL CONSTRAINT draft_ply CHECK (ply >= 1),
    revision         INTEGER NOT NULL CONSTRAINT draft_revision CHECK (revision >= 1), -- 1 for the first draft of this ply
    refreshes        INTEGER REFERENCES drafts (id),                       -- the same move with a newer date: the older one goes when this one lies there
    message_id       TEXT NOT NULL CONSTRAINT draft_message_id_once UNIQUE, -- of the reply: whatever is sent under it is ours
    for_day          TEXT,                                                 -- the sent date that it states
    made_at          TEXT NOT NULL,
    state            TEXT NOT NULL DEFAULT 'wanted' CONSTRAINT draft_state CHECK (state IN (
                         'wanted',                                         -- not put into a folder; is put there while it is the plan's, if that is switched on
                         'placing',                                        -- noted before each APPEND: look for it before trying again
                         'placed', 'unplaced',                             -- lies there as we made it; the server refused it
                         'touched', 'vanished',                            -- the player edited it; it is gone. Neither is ever undone
                         'removing', 'removed')),                          -- noted before it is taken out; it is out
    bytes            BLOB,                                                 -- exactly what lies there; NULL before it was to be put there
    sha256           BLOB CONSTRAINT draft_sha256 CHECK (length(sha256) = 32),
    folder           TEXT,
    uidvalidity      INTEGER,                                              -- a UID means nothing under another one (RFC 3501, 2.3.1.1)
    uid              INTEGER,                                              -- NULL: to be found by its Message-ID
    attempts         INTEGER NOT NULL DEFAULT 0,
    next_attempt_at  TEXT,                                                 -- NULL: at once
    last_error       TEXT,
    CONSTRAINT draft_revision_once UNIQUE (game, ply, revision),
    CONSTRAINT draft_bytes CHECK ((bytes IS NULL) = (sha256 IS NULL)),
    CONSTRAINT draft_placed CHECK (state NOT IN ('placing', 'placed', 'removing') OR (bytes IS NOT NULL AND folder IS NOT NULL)),
    CONSTRAINT draft_uid CHECK (uid IS NULL OR uidvalidity IS NOT NULL)
) STRICT;
CREATE INDEX drafts_by_state ON drafts (state);

INSERT INTO drafts (game, ply, revision, message_id, for_day, made_at)
SELECT game, ply, 1, message_id, sent, chosen_at FROM plans;
