-- Everything amici knows. One row is one fact; what can be computed (positions, clocks, whose turn) is not stored.
-- Instants are RFC 3339 in UTC, days ISO dates, moves ICCF numeric, lists JSON. A released migration never changes.

-- Games --------------------------------------------------------------------------------------------------------------

CREATE TABLE games (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    name             TEXT NOT NULL CONSTRAINT game_name_once UNIQUE,       -- the short id the player sees and types
    event            TEXT NOT NULL,                                        -- for the subject of a transmission and for PGN
    site             TEXT NOT NULL,                                        -- for PGN
    me               TEXT NOT NULL CONSTRAINT game_me CHECK (me IN ('white', 'black')),
    start_date       TEXT,                                                 -- nothing is charged before the event starts
    start_fen        TEXT,                                                 -- NULL: the initial position
    rules            TEXT NOT NULL CONSTRAINT game_rules CHECK (json_valid(rules)),          -- as it was given
    notations        TEXT NOT NULL CONSTRAINT game_notations CHECK (json_valid(notations)),  -- agreed with the opponent
    draw_offer       TEXT CONSTRAINT game_draw_offer CHECK (draw_offer IN ('white', 'black')), -- whose offer still stands
    result           TEXT CONSTRAINT game_result CHECK (result IN ('1-0', '0-1', '1/2-1/2')),  -- NULL: the game is running
    last_message_id  TEXT,                                                 -- the newest mail: the next reply answers it
    root_message_id  TEXT NOT NULL CONSTRAINT game_root_once UNIQUE,       -- never sent, heads References: one thread per game
    created_at       TEXT NOT NULL
) STRICT;

CREATE TABLE players (
    game  INTEGER NOT NULL REFERENCES games (id),
    side  TEXT NOT NULL CONSTRAINT player_side CHECK (side IN ('white', 'black')),
    name  TEXT NOT NULL,                                                   -- as the tournament director writes it
    PRIMARY KEY (game, side)
) STRICT;

CREATE TABLE addresses (
    game      INTEGER NOT NULL,
    side      TEXT NOT NULL,
    position  INTEGER NOT NULL,                                            -- 0 is the preferred address
    address   TEXT NOT NULL,                                               -- as registered; mail is written to this form
    folded    TEXT NOT NULL,                                               -- domain in lower case: senders are compared by it
    PRIMARY KEY (game, side, position),
    FOREIGN KEY (game, side) REFERENCES players (game, side)
) STRICT;
CREATE INDEX addresses_by_folded ON addresses (folded);

CREATE TABLE moves (
    game              INTEGER NOT NULL REFERENCES games (id),
    ply               INTEGER NOT NULL CONSTRAINT move_ply CHECK (ply >= 1),
    numeric           TEXT NOT NULL,
    claimed_received  TEXT,                                                -- what the mover states ...
    claimed_sent      TEXT,
    claimed_days      INTEGER,
    claimed_total     INTEGER,
    observed_sent     TEXT,                                                -- ... what the servers saw (Date header, INTERNALDATE) ...
    observed_arrived  TEXT,
    agreed_received   TEXT,                                                -- ... and what both settled later: none overwrites another
    agreed_sent       TEXT,
    mail              INTEGER REFERENCES mails (id),                       -- the mail that proves it; NULL: imported, or the player's word
    recorded_at       TEXT NOT NULL,
    PRIMARY KEY (game, ply)                                                -- one move per ply, whatever happens
) STRICT;

CREATE TABLE conditionals (
    game      INTEGER NOT NULL REFERENCES games (id),
    position  INTEGER NOT NULL,
    line      TEXT NOT NULL CONSTRAINT conditional_line CHECK (json_valid(line)), -- his ply, our promised reply, his ply, ...
    PRIMARY KEY (game, position)
) STRICT;

CREATE TABLE seen_message_ids (
    game        INTEGER NOT NULL REFERENCES games (id),
    position    INTEGER NOT NULL,                                          -- an export gives them back in this order
    message_id  TEXT NOT NULL,
    PRIMARY KEY (game, position)
) STRICT;

CREATE TABLE plans (
    game        INTEGER PRIMARY KEY REFERENCES games (id),                 -- one chosen move per game; no record until it was sent
    ply         INTEGER NOT NULL CONSTRAINT plan_ply CHECK (ply >= 1),
    numeric     TEXT NOT NULL,
    received    TEXT,                                                      -- what the draft states
    sent        TEXT,
    days        INTEGER,
    total       INTEGER,
    draw_offer  INTEGER NOT NULL CONSTRAINT plan_draw_offer CHECK (draw_offer IN (0, 1)),
    message_id  TEXT NOT NULL,                                             -- of the reply as drafted: an answer to it proves it was sent
    chosen_at   TEXT NOT NULL
) STRICT;

-- Incoming mail ------------------------------------------------------------------------------------------------------

CREATE TABLE mails (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    sha256        BLOB NOT NULL CONSTRAINT mail_once UNIQUE CONSTRAINT mail_sha256 CHECK (length(sha256) = 32), -- same content: same mail
    raw           BLOB,                                                    -- the bytes, zlib-compressed, as evidence; NULL: no game's business, only known by its hash
    size          INTEGER NOT NULL,                                        -- bytes before compression
    message_id    TEXT,                                                    -- not unique: anybody can write any id
    from_address  TEXT,
    subject       TEXT NOT NULL,                                           -- cleaned for showing
    server_date   TEXT,                                                    -- when our server took it
    taken_at      TEXT NOT NULL
) STRICT;
CREATE INDEX mails_by_message_id ON mails (message_id);

-- The ledger of the mailbox: every announced message has one row, so none can be forgotten.
CREATE TABLE arrivals (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    source       TEXT NOT NULL,                                            -- which account or mail folder on disk
    folder       TEXT NOT NULL,
    epoch        INTEGER NOT NULL,                                         -- IMAP UIDVALIDITY (RFC 9051, 2.3.1.1); 0 for Maildir
    uid          TEXT NOT NULL,                                            -- IMAP UID, or the unique part of the Maildir name
    mail         INTEGER REFERENCES mails (id),                            -- NULL until it was read
    attempts     INTEGER NOT NULL,                                         -- counted before each try: a mail that kills us is set aside
    state        TEXT NOT NULL CONSTRAINT arrival_state CHECK (state IN ('open', 'done', 'set-aside', 'too-large', 'gone')),
    reason       TEXT,                                                     -- why it was not read
    size         INTEGER,                                                  -- bytes, as announced
    server_date  TEXT,
    noted_at     TEXT NOT NULL,
    CONSTRAINT arrival_once UNIQUE (source, folder, epoch, uid),
    CONSTRAINT arrival_done CHECK ((state = 'done') = (mail IS NOT NULL)),
    CONSTRAINT arrival_reason CHECK (state IN ('open', 'done') OR reason IS NOT NULL)
) STRICT;
CREATE INDEX arrivals_by_state ON arrivals (state);

CREATE TABLE verdicts (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    mail           INTEGER NOT NULL REFERENCES mails (id),
    game           INTEGER REFERENCES games (id),
    outcome        TEXT NOT NULL CONSTRAINT verdict_outcome CHECK (outcome IN ('move', 'resignation', 'draw_accept', 'duplicate',
                       'illegal', 'needs_human', 'not_game_mail', 'wrong_sender', 'own')),
    reason         TEXT NOT NULL,                                          -- in words for the player
    plies          TEXT NOT NULL CONSTRAINT verdict_plies CHECK (json_valid(plies)),
    stated         TEXT NOT NULL CONSTRAINT verdict_stated CHECK (json_valid(stated)),
    discrepancies  TEXT NOT NULL CONSTRAINT verdict_discrepancies CHECK (json_valid(discrepancies)),
    candidates     TEXT NOT NULL CONSTRAINT verdict_candidates CHECK (json_valid(candidates)), -- legal readings to choose from
    open           INTEGER NOT NULL CONSTRAINT verdict_open CHECK (open IN (0, 1)),            -- 1: the player has to look
    decided_at     TEXT NOT NULL
) STRICT;
CREATE INDEX verdicts_open ON verdicts (mail) WHERE open = 1;

-- Where asking a folder goes on. Only a hint about what to ask for: `arrivals` says what was done with it.
CREATE TABLE cursors (
    source    TEXT NOT NULL,
    folder    TEXT NOT NULL,
    epoch     INTEGER NOT NULL,                                            -- a changed UIDVALIDITY voids last_uid
    last_uid  INTEGER NOT NULL,                                            -- highest UID that has a row in arrivals
    seen_at   TEXT NOT NULL,
    PRIMARY KEY (source, folder)
) STRICT;

-- Outgoing mail ------------------------------------------------------------------------------------------------------

CREATE TABLE outbox (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    kind             TEXT NOT NULL CONSTRAINT outbox_kind CHECK (kind IN ('notice', 'draft')),
    game             INTEGER REFERENCES games (id),
    ply              INTEGER,                                              -- of the drafted move
    mail             INTEGER REFERENCES mails (id),                        -- the incoming mail that caused it
    message_id       TEXT NOT NULL CONSTRAINT outbox_message_id_once UNIQUE,
    recipient        TEXT NOT NULL,
    bytes            BLOB NOT NULL,                                        -- exactly what is sent: every try sends the same
    state            TEXT NOT NULL CONSTRAINT outbox_state CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'unknown', 'cancelled')),
    attempts         INTEGER NOT NULL,
    last_attempt_at  TEXT,
    next_attempt_at  TEXT,                                                 -- NULL: at once
    last_error       TEXT,
    said             TEXT,                                                 -- the server's answer to an accepted mail
    created_at       TEXT NOT NULL,
    CONSTRAINT outbox_draft CHECK (kind <> 'draft' OR (game IS NOT NULL AND ply IS NOT NULL))
) STRICT;
CREATE INDEX outbox_by_state ON outbox (state);
-- One draft per move waits to go out; one notice per mail and game is ever made.
CREATE UNIQUE INDEX outbox_one_queued_draft ON outbox (game, ply) WHERE kind = 'draft' AND state = 'queued';
CREATE UNIQUE INDEX outbox_one_notice ON outbox (mail, ifnull(game, 0)) WHERE kind = 'notice' AND mail IS NOT NULL;

-- The journal and the daemon's own state -----------------------------------------------------------------------------

CREATE TABLE events (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    game  INTEGER REFERENCES games (id),
    mail  INTEGER REFERENCES mails (id),
    at    TEXT NOT NULL,
    kind  TEXT NOT NULL,
    text  TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_game ON events (game);
CREATE TRIGGER events_keep_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_keep_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;

CREATE TABLE heartbeat (
    id               INTEGER PRIMARY KEY CONSTRAINT heartbeat_one_row CHECK (id = 1),
    pid              INTEGER NOT NULL,
    host             TEXT NOT NULL,                                        -- a copied database tells where the other daemon runs
    started_at       TEXT NOT NULL,
    last_check_at    TEXT,                                                 -- the last check that succeeded ...
    last_attempt_at  TEXT,                                                 -- ... and the last that was tried
    last_error       TEXT,
    next_check_at    TEXT,                                                 -- later than this: the daemon is stale
    state            TEXT NOT NULL
) STRICT;

CREATE TABLE logins (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    source   TEXT NOT NULL,
    at       TEXT NOT NULL,
    outcome  TEXT NOT NULL CONSTRAINT login_outcome CHECK (outcome IN ('ok', 'refused', 'failed', 'cleared')) -- cleared: the player acted
) STRICT;
CREATE INDEX logins_by_source ON logins (source, at);

-- A source stopped after refused passwords, so that no provider locks the account. Survives restarts.
CREATE TABLE auth_stop (
    source  TEXT PRIMARY KEY NOT NULL,
    since   TEXT NOT NULL,
    reason  TEXT NOT NULL
) STRICT;
