-- Everything amici knows. One row is one fact; what can be computed (positions, clocks, whose turn) is not stored.
--
-- Instants are RFC 3339 in UTC, days ISO dates, moves ICCF numeric, lists JSON, Message-IDs with their angle brackets, 0 and 1 no and yes.
-- `id` is the key, AUTOINCREMENT where a key must never be given twice; `game` and `mail` say of which game and mail a row is; `ply` counts
-- from 1; `position` keeps an order, from 0. Constraints have names, which are what an error tells.
--
-- Once released this file never changes: what comes later is a file of its own, with its upgrade in src/io/store/open.rs.

-- Games --------------------------------------------------------------------------------------------------------------

CREATE TABLE games (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    name             TEXT NOT NULL CONSTRAINT game_name_once UNIQUE,       -- the short id the player sees and types
    event            TEXT NOT NULL,                                        -- for the subject of a transmission and for PGN
    site             TEXT NOT NULL,                                        -- for PGN
    tags             TEXT NOT NULL DEFAULT '{}' CONSTRAINT game_tags CHECK (json_valid(tags)), -- of its PGN, which nothing else here says
    me               TEXT NOT NULL CONSTRAINT game_me CHECK (me IN ('white', 'black')),      -- the player's side
    start_date       TEXT,                                                 -- nothing is charged before the event starts
    start_fen        TEXT,                                                 -- NULL: the initial position
    rules            TEXT NOT NULL CONSTRAINT game_rules CHECK (json_valid(rules)),          -- as it was given
    notations        TEXT NOT NULL CONSTRAINT game_notations CHECK (json_valid(notations)),  -- agreed with the opponent
    draw_offer       TEXT CONSTRAINT game_draw_offer CHECK (draw_offer IN ('white', 'black')), -- whose offer still stands
    result           TEXT CONSTRAINT game_result CHECK (result IN ('1-0', '0-1', '1/2-1/2')),  -- NULL: the game is running
    last_message_id  TEXT,                                                 -- the newest mail: the next reply answers it
    root_message_id  TEXT NOT NULL CONSTRAINT game_root_once UNIQUE,       -- never sent, heads References: one thread per game
    created_at       TEXT NOT NULL,                                        -- when it was first put in
    version          INTEGER NOT NULL DEFAULT 0                            -- raised by the triggers below when a summary may change
) STRICT;
CREATE INDEX games_by_last_message_id ON games (last_message_id);

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
    PRIMARY KEY (game, side, position),
    FOREIGN KEY (game, side) REFERENCES players (game, side)
) STRICT;

-- Ids that the player gave up for others. They still lead to their games: the acts, the letters and his answers to old notices have them.
CREATE TABLE former_names (
    name  TEXT PRIMARY KEY NOT NULL,
    game  INTEGER NOT NULL REFERENCES games (id)
) STRICT, WITHOUT ROWID;
CREATE INDEX former_names_by_game ON former_names (game);
CREATE VIEW names AS SELECT name, id AS game FROM games UNION ALL SELECT name, game FROM former_names;

-- What a mail may show of a game, as it is looked for: its id, its event, the name and the addresses of its opponent.
CREATE TABLE hints (
    hint  TEXT NOT NULL,
    game  INTEGER NOT NULL REFERENCES games (id),
    PRIMARY KEY (hint, game)
) STRICT, WITHOUT ROWID;
CREATE INDEX hints_by_game ON hints (game);

-- Days are counted from dates, 24-hour clocks from the instants. What was claimed, seen and settled stands apart: none overwrites another.
CREATE TABLE moves (
    game                 INTEGER NOT NULL REFERENCES games (id),
    ply                  INTEGER NOT NULL CONSTRAINT move_ply CHECK (ply >= 1),
    numeric              TEXT NOT NULL,
    claimed_received     TEXT,                                             -- what the mover states: received on ...
    claimed_sent         TEXT,                                             -- ... sent on ...
    claimed_days         INTEGER,                                          -- ... days for this move ...
    claimed_total        INTEGER,                                          -- ... and for all of his
    observed_sent        TEXT,                                             -- what the servers saw: the day of the Date header ...
    observed_arrived     TEXT,                                             -- ... and of INTERNALDATE where the player lives;
    observed_sent_at     TEXT,                                             -- the Date header with its offset ...
    observed_relayed_at  TEXT,                                             -- ... the provider's topmost Received ...
    observed_arrived_at  TEXT,                                             -- ... and INTERNALDATE
    agreed_received      TEXT,                                             -- what was settled later: the days ...
    agreed_sent          TEXT,
    agreed_days          INTEGER,                                          -- ... what stands in place of what the dates give ...
    agreed_total         INTEGER,                                          -- ... (the journal keeps what stood there before) ...
    agreed_penalty       INTEGER,                                          -- ... days added for an illegal move or an ignored conditional
    mail                 INTEGER REFERENCES mails (id),                    -- the mail that proves it; NULL: imported, or the player's word
    recorded_at          TEXT NOT NULL,                                    -- when it went on record
    PRIMARY KEY (game, ply)                                                -- one move per ply, whatever happens
) STRICT;

-- The player's offered lines that still stand.
CREATE TABLE conditionals (
    game      INTEGER NOT NULL REFERENCES games (id),
    position  INTEGER NOT NULL,
    line      TEXT NOT NULL CONSTRAINT conditional_line CHECK (json_valid(line)), -- his ply, our promised reply, his ply, ...
    PRIMARY KEY (game, position)
) STRICT;

-- The mails of a game's thread: an answer names them.
CREATE TABLE seen_message_ids (
    game        INTEGER NOT NULL REFERENCES games (id),
    position    INTEGER NOT NULL,                                          -- an export gives them back in this order
    message_id  TEXT NOT NULL,
    PRIMARY KEY (game, position)
) STRICT;
CREATE INDEX seen_by_message_id ON seen_message_ids (message_id);

-- The chosen move: no record until it was sent.
CREATE TABLE plans (
    game          INTEGER PRIMARY KEY REFERENCES games (id),               -- one for a game
    ply           INTEGER NOT NULL CONSTRAINT plan_ply CHECK (ply >= 1),
    taken         TEXT NOT NULL DEFAULT '[]' CONSTRAINT plan_taken CHECK (json_valid(taken)), -- of his line: our ply, his promised reply, ...
    numeric       TEXT NOT NULL,
    received      TEXT,                                                    -- what the draft states ...
    sent          TEXT,
    days          INTEGER,
    total         INTEGER,
    draw_offer    INTEGER NOT NULL CONSTRAINT plan_draw_offer CHECK (draw_offer IN (0, 1)),
    conditionals  TEXT NOT NULL CONSTRAINT plan_conditionals CHECK (json_valid(conditionals)), -- ... offers, each: his ply, our reply, ...
    comment       TEXT,                                                    -- ... and says in free words of the player
    message_id    TEXT NOT NULL,                                           -- of the reply as drafted: an answer to it proves it was sent
    held_until    TEXT,                                                    -- no draft is made before; NULL: it is made
    chosen_at     TEXT NOT NULL
) STRICT;
CREATE INDEX plans_by_message_id ON plans (message_id);
CREATE INDEX plans_held ON plans (held_until) WHERE held_until IS NOT NULL;

-- Days on which a clock stands still.
CREATE TABLE leaves (
    game       INTEGER NOT NULL REFERENCES games (id),
    position   INTEGER NOT NULL,
    side       TEXT NOT NULL CONSTRAINT leave_side CHECK (side IN ('white', 'black')),
    from_day   TEXT NOT NULL,
    to_day     TEXT NOT NULL,                                              -- included
    announced  TEXT,                                                       -- on this day; NULL: nobody knows when
    PRIMARY KEY (game, position),
    CONSTRAINT leave_order CHECK (from_day <= to_day)
) STRICT;

-- What was said about the clock of a ply while it was thought about, and that the player's last move went out again.
CREATE TABLE clock_notes (
    game       INTEGER NOT NULL REFERENCES games (id),
    position   INTEGER NOT NULL,
    ply        INTEGER NOT NULL CONSTRAINT clock_note_ply CHECK (ply >= 1), -- the ply being thought about
    kind       TEXT NOT NULL CONSTRAINT clock_note_kind CHECK (kind IN (
                   'announced',                                            -- it needs time: until_day is the day that was named
                   'repeated',                                             -- a reminder: until_day is when it really went out
                   'returned',                                             -- sent again since it came back, as seen on until_day ...
                   'missed')),                                             -- ... since he repeated his own on until_day as if he had no answer
    on_day     TEXT NOT NULL,                                              -- it was said, or went out again
    until_day  TEXT,
    PRIMARY KEY (game, position)
) STRICT;

-- Illegal moves that the player had counted into the time of the legal move sent after them. One that was only held costs nobody a day.
CREATE TABLE illegal_moves (
    game         INTEGER NOT NULL REFERENCES games (id),
    ply          INTEGER NOT NULL CONSTRAINT illegal_move_ply CHECK (ply >= 1), -- the ply that it was meant for
    sent_day     TEXT NOT NULL,
    noticed_day  TEXT NOT NULL,                                            -- its sender learned on it that the move is illegal
    PRIMARY KEY (game, ply),
    CONSTRAINT illegal_move_order CHECK (sent_day <= noticed_day)
) STRICT;

-- The player's private notes. They stand in no letter and in no export that does not ask for them.
CREATE TABLE notes (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    game  INTEGER NOT NULL REFERENCES games (id),
    ply   INTEGER NOT NULL CONSTRAINT note_ply CHECK (ply >= 0),           -- the last ply that was played then; 0: none
    text  TEXT NOT NULL CONSTRAINT note_text CHECK (text <> ''),
    CONSTRAINT note_once UNIQUE (game, ply, text)
) STRICT;

-- Incoming mail ------------------------------------------------------------------------------------------------------

CREATE TABLE mails (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    sha256        BLOB NOT NULL CONSTRAINT mail_once UNIQUE CONSTRAINT mail_sha256 CHECK (length(sha256) = 32), -- same content: same mail
    raw           BLOB,                                                    -- the bytes, zlib-compressed, as evidence; NULL: no game's business, only known by its hash
    size          INTEGER NOT NULL,                                        -- bytes before compression
    message_id    TEXT,                                                    -- not unique: anybody can write any id
    from_address  TEXT,                                                    -- who it says it is from
    subject       TEXT NOT NULL,                                           -- cleaned for showing
    server_date   TEXT,                                                    -- when our server took it
    taken_at      TEXT NOT NULL,                                           -- when it was read
    undecided     INTEGER NOT NULL DEFAULT 0 CONSTRAINT mail_undecided CHECK (undecided IN (0, 1)) -- 1: a game or an address came after it: it is judged again
) STRICT;
CREATE INDEX mails_undecided ON mails (id) WHERE undecided = 1;
CREATE INDEX mails_by_message_id ON mails (message_id);
-- The mails of an opponent whose game or address comes later are judged again.
CREATE INDEX mails_by_sender ON mails (lower(from_address));
-- The newest mail vouches for the clock of the machine; those that a server took later than it said speak against it.
CREATE INDEX mails_by_taken_at ON mails (taken_at);
CREATE INDEX mails_by_server_date ON mails (server_date) WHERE server_date > taken_at;

-- The ledger of the mailbox: every announced message has one row, so none can be forgotten.
CREATE TABLE arrivals (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    source       TEXT NOT NULL,                                            -- which account or mail folder on disk
    folder       TEXT NOT NULL,
    epoch        INTEGER NOT NULL,                                         -- IMAP UIDVALIDITY (RFC 9051, 2.3.1.1); 0 for Maildir
    uid          TEXT NOT NULL,                                            -- IMAP UID, or the unique part of the Maildir name
    mail         INTEGER REFERENCES mails (id),                            -- NULL until it was read
    attempts     INTEGER NOT NULL,                                         -- counted before each try: a mail that kills us is set aside
    refused      INTEGER NOT NULL DEFAULT 0,                               -- fetches in a row in which the server did not give it
    refused_at   TEXT,                                                     -- the last of them
    state        TEXT NOT NULL CONSTRAINT arrival_state CHECK (state IN ('open', 'done', 'set-aside', 'too-large', 'gone', 'passed')),
    reason       TEXT,                                                     -- why it was not read
    size         INTEGER,                                                  -- bytes, as announced
    server_date  TEXT,                                                     -- when the server took it
    noted_at     TEXT NOT NULL,                                            -- when it was announced
    CONSTRAINT arrival_once UNIQUE (source, folder, epoch, uid),
    CONSTRAINT arrival_done CHECK ((state = 'done') = (mail IS NOT NULL)),
    CONSTRAINT arrival_reason CHECK (state IN ('open', 'done') OR reason IS NOT NULL)
) STRICT;
CREATE INDEX arrivals_by_state ON arrivals (state) WHERE state <> 'done';
CREATE INDEX arrivals_by_server_date ON arrivals (source, folder, server_date);
CREATE INDEX arrivals_by_mail ON arrivals (mail);

-- Where asking a folder goes on. Only a hint about what to ask for: `arrivals` says what was done with it.
CREATE TABLE cursors (
    source    TEXT NOT NULL,                                               -- as in `arrivals`
    folder    TEXT NOT NULL,
    epoch     INTEGER NOT NULL,                                            -- a changed UIDVALIDITY voids last_uid
    last_uid  INTEGER NOT NULL,                                            -- highest UID that has a row in arrivals
    seen_at   TEXT NOT NULL,
    PRIMARY KEY (source, folder)
) STRICT;

-- What was decided about a mail, for each game that it is about.
CREATE TABLE verdicts (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    mail           INTEGER NOT NULL REFERENCES mails (id),
    game           INTEGER REFERENCES games (id),                          -- NULL: no game's business
    outcome        TEXT NOT NULL CONSTRAINT verdict_outcome CHECK (outcome IN ('move', 'resignation', 'draw_accept', 'duplicate',
                       'illegal', 'needs_human', 'not_game_mail', 'wrong_sender', 'own')),
    reason         TEXT NOT NULL,                                          -- in words for the player
    plies          TEXT NOT NULL CONSTRAINT verdict_plies CHECK (json_valid(plies)),   -- the moves in it
    stated         TEXT NOT NULL CONSTRAINT verdict_stated CHECK (json_valid(stated)), -- what its sender states of the last
    discrepancies  TEXT NOT NULL CONSTRAINT verdict_discrepancies CHECK (json_valid(discrepancies)), -- where that and the record differ
    candidates     TEXT NOT NULL CONSTRAINT verdict_candidates CHECK (json_valid(candidates)), -- legal readings to choose from
    read_as        TEXT,                                                   -- the player's last move as a held mail repeats it, where it is another than on record
    open           INTEGER NOT NULL CONSTRAINT verdict_open CHECK (open IN (0, 1)),    -- 1: the player has to look
    decided_at     TEXT NOT NULL
) STRICT;
-- Of a mail that is known, whether all is settled.
CREATE INDEX verdicts_by_mail ON verdicts (mail, game);
-- What is asked for at every look finds its rows without reading every verdict there ever was: what waits for the player, what he settled, ...
CREATE INDEX verdicts_open ON verdicts (id) WHERE open = 1;
CREATE INDEX verdicts_settled ON verdicts (id) WHERE open = 0 AND outcome NOT IN ('move', 'own', 'not_game_mail');
-- ... the few mails that are illegal, and the games whose last move came with statements that differ from the record.
CREATE INDEX verdicts_illegal ON verdicts (game) WHERE outcome = 'illegal';
CREATE INDEX verdicts_disputed ON verdicts (game, mail) WHERE discrepancies <> '[]';

-- Which domains have vouched for the mails of an opponent's address: the policy `pinned` misses them later.
CREATE TABLE sender_domains (
    address   TEXT NOT NULL,                                               -- of an opponent, in lower case
    domain    TEXT NOT NULL,                                               -- of the DKIM signature or the DMARC pass, in lower case
    first_at  TEXT NOT NULL,                                               -- when our server took the first such mail ...
    last_at   TEXT NOT NULL,                                               -- ... and the last
    mails     INTEGER NOT NULL CONSTRAINT sender_domain_mails CHECK (mails >= 1), -- how many there were
    PRIMARY KEY (address, domain)
) STRICT;

-- The player's own mails ---------------------------------------------------------------------------------------------

-- What became of a mail that he sent, read back from the Sent folder or from a copy to himself. The move itself is in `moves`, if it counts.
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
CREATE INDEX sent_open ON sent (game) WHERE open = 1;
CREATE INDEX sent_illegal ON sent (game) WHERE outcome = 'illegal';

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

-- Outgoing mail ------------------------------------------------------------------------------------------------------

-- Mails to the player himself.
CREATE TABLE outbox (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    kind             TEXT NOT NULL CONSTRAINT outbox_kind CHECK (kind IN ('notice', 'draft')),
    game             INTEGER REFERENCES games (id),
    ply              INTEGER,                                              -- of the drafted move
    mail             INTEGER REFERENCES mails (id),                        -- the incoming mail that caused it
    message_id       TEXT NOT NULL CONSTRAINT outbox_message_id_once UNIQUE,
    recipient        TEXT NOT NULL,
    bytes            BLOB NOT NULL,                                        -- what is sent but for its pictures, zlib-compressed: every try sends the same
    state            TEXT NOT NULL CONSTRAINT outbox_state CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'unknown', 'cancelled')),
    attempts         INTEGER NOT NULL,                                     -- tries begun
    last_attempt_at  TEXT,
    next_attempt_at  TEXT,                                                 -- NULL: at once
    last_error       TEXT,
    said             TEXT,                                                 -- the server's answer to an accepted mail
    created_at       TEXT NOT NULL,
    CONSTRAINT outbox_draft CHECK (kind <> 'draft' OR (game IS NOT NULL AND ply IS NOT NULL))
) STRICT;
CREATE INDEX outbox_by_state ON outbox (state);
-- Of letters to the player that were delivered long ago only the facts are kept.
CREATE INDEX outbox_delivered ON outbox (last_attempt_at) WHERE kind = 'notice' AND state = 'sent' AND bytes <> x'';
-- One draft per move waits to go out; one notice per mail and game is ever made.
CREATE UNIQUE INDEX outbox_one_queued_draft ON outbox (game, ply) WHERE kind = 'draft' AND state = 'queued';
CREATE UNIQUE INDEX outbox_one_notice ON outbox (mail, ifnull(game, 0)) WHERE kind = 'notice' AND mail IS NOT NULL;

-- Questions to opponents about held mails, drafted for the player, who sends them himself. What they ask about stays held.
CREATE TABLE questions (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    verdict   INTEGER NOT NULL REFERENCES verdicts (id),                   -- the held mail in its game; more than one only where he asked again
    outbox    INTEGER NOT NULL CONSTRAINT question_letter_once UNIQUE REFERENCES outbox (id), -- the draft
    asked_at  TEXT NOT NULL
) STRICT;
CREATE INDEX questions_by_verdict ON questions (verdict);

-- What the player was told once and is not told again. Written with the mail that tells it.
CREATE TABLE told (
    cause   TEXT PRIMARY KEY NOT NULL,                                     -- game/ply/mark/date, or digest/date
    outbox  INTEGER REFERENCES outbox (id),                                -- NULL: there was nothing to tell
    at      TEXT NOT NULL
) STRICT;

-- Every Message-ID that a reply was ever given, and the finished drafts in the mailbox's own folder for drafts.
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
    sha256           BLOB CONSTRAINT draft_sha256 CHECK (length(sha256) = 32), -- of the bytes
    folder           TEXT,
    uidvalidity      INTEGER,                                              -- a UID means nothing under another one (RFC 3501, 2.3.1.1)
    uid              INTEGER,                                              -- NULL: to be found by its Message-ID
    attempts         INTEGER NOT NULL DEFAULT 0,                           -- tries begun
    next_attempt_at  TEXT,                                                 -- NULL: at once
    last_error       TEXT,
    CONSTRAINT draft_revision_once UNIQUE (game, ply, revision),
    CONSTRAINT draft_bytes CHECK ((bytes IS NULL) = (sha256 IS NULL)),
    CONSTRAINT draft_placed CHECK (state NOT IN ('placing', 'placed', 'removing') OR (bytes IS NOT NULL AND folder IS NOT NULL)),
    CONSTRAINT draft_uid CHECK (uid IS NULL OR uidvalidity IS NOT NULL)
) STRICT;
CREATE INDEX drafts_by_state ON drafts (state);

-- Moves that the player released: the program sends them to the opponent itself. Nothing else ever goes to an opponent.
CREATE TABLE releases (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    game             INTEGER NOT NULL,                                     -- what was sent outlives a deleted game
    ply              INTEGER NOT NULL CONSTRAINT release_ply CHECK (ply >= 1),
    message_id       TEXT NOT NULL CONSTRAINT release_message_id_once UNIQUE, -- that of the plan
    recipients       TEXT NOT NULL CONSTRAINT release_recipients CHECK (json_valid(recipients)), -- the opponent, the director, the player's own copy
    bytes            BLOB NOT NULL,                                        -- the whole mail: every try sends the same
    not_before       TEXT NOT NULL,                                        -- until then it can be recalled
    state            TEXT NOT NULL CONSTRAINT release_state CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'unknown', 'recalled')),
    attempts         INTEGER NOT NULL,                                     -- tries begun
    last_attempt_at  TEXT,
    next_attempt_at  TEXT,                                                 -- NULL: as soon as it may
    last_error       TEXT,
    said             TEXT,                                                 -- the server's answer, or what else proves it
    released_at      TEXT NOT NULL
) STRICT;
-- At most one mail per own move.
CREATE UNIQUE INDEX release_one_per_move ON releases (game, ply) WHERE state NOT IN ('recalled', 'failed');
CREATE INDEX releases_by_state ON releases (state);

-- The acts and the journal -------------------------------------------------------------------------------------------

-- What ever changed the games, in order: with the raw mails it gives the whole database again (`amici verify --rebuild`).
CREATE TABLE acts (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    at    TEXT NOT NULL,                                                   -- the `now` of the act
    kind  TEXT NOT NULL,                                                   -- which it is: see src/io/store/acts.rs
    body  TEXT NOT NULL CONSTRAINT act_body CHECK (json_valid(body))       -- its arguments; mails and letters by their SHA-256
) STRICT;
CREATE INDEX acts_settings ON acts (id) WHERE kind = 'settings';
-- The newest instant on record is asked for by every command: it is found without reading through the acts.
CREATE INDEX acts_by_at ON acts (at);
-- The player's word that his clock is right, after it ran ahead: what stands before it says nothing about the clock any more.
CREATE INDEX acts_clock_right ON acts (id) WHERE kind = 'clock-right';
CREATE TRIGGER acts_keep_update BEFORE UPDATE ON acts BEGIN SELECT RAISE(ABORT, 'acts are never changed'); END;
CREATE TRIGGER acts_keep_delete BEFORE DELETE ON acts BEGIN SELECT RAISE(ABORT, 'acts are never deleted'); END;

-- What each act made of each game. A game that was put in stands in its act, and has neither a whole nor a patch here.
CREATE TABLE changes (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    act      INTEGER NOT NULL REFERENCES acts (id),                        -- or the newest one, where something of a game changed without
    game     INTEGER NOT NULL REFERENCES games (id),
    version  INTEGER NOT NULL,                                             -- of the game after it
    outside  INTEGER NOT NULL DEFAULT 0 CONSTRAINT change_outside CHECK (outside IN (0, 1)), -- 1: another program had changed it before
    whole    TEXT CONSTRAINT change_whole CHECK (json_valid(whole)),       -- the game, every so often
    patch    TEXT CONSTRAINT change_patch CHECK (json_valid(patch))        -- from the change before (RFC 6902)
) STRICT;
CREATE INDEX changes_by_game ON changes (game, id);

-- The journal, for the player to read.
CREATE TABLE events (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    game  INTEGER,                                                         -- NULL: of none; the journal outlives a deleted game
    mail  INTEGER REFERENCES mails (id),                                   -- the mail that caused it
    at    TEXT NOT NULL,
    kind  TEXT NOT NULL,                                                   -- by which what it tells is found again
    text  TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_game ON events (game);
-- The lists ask which claims were drafted: without reading every line that the journal ever had.
CREATE INDEX events_claims ON events (game) WHERE kind LIKE 'claim %';
CREATE TRIGGER events_keep_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_keep_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;

-- The installation and the daemon's own state ------------------------------------------------------------------------

CREATE TABLE installation (
    id            INTEGER PRIMARY KEY CONSTRAINT one_installation CHECK (id = 1),
    answer_key    BLOB NOT NULL CHECK (length(answer_key) = 32),           -- makes ids and codes that nobody can guess; never shown: see letters/code.rs
    summed_up_by  TEXT NOT NULL                                            -- the program and the settings that all summaries depend on
) STRICT;
INSERT INTO installation (id, answer_key, summed_up_by) VALUES (1, randomblob(32), '');

-- The daemon's sign of life.
CREATE TABLE heartbeat (
    id               INTEGER PRIMARY KEY CONSTRAINT heartbeat_one_row CHECK (id = 1),
    pid              INTEGER NOT NULL,
    host             TEXT NOT NULL,                                        -- a copied database tells where the other daemon runs
    started_at       TEXT NOT NULL,
    last_check_at    TEXT,                                                 -- the last check that succeeded ...
    last_attempt_at  TEXT,                                                 -- ... and the last that was tried
    last_error       TEXT,                                                 -- what is wrong at present
    next_check_at    TEXT,                                                 -- later than this: the daemon is stale
    progress         TEXT,                                                 -- how far a long look has come, in words
    state            TEXT NOT NULL                                         -- what it is doing, in a word
) STRICT;

-- Counted, so that no provider is asked too often.
CREATE TABLE logins (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    source   TEXT NOT NULL,                                                -- which server of the player's
    at       TEXT NOT NULL,
    outcome  TEXT NOT NULL CONSTRAINT login_outcome CHECK (outcome IN ('ok', 'refused', 'failed', 'unreached', 'cleared')) -- cleared: the player acted
) STRICT;
CREATE INDEX logins_by_source ON logins (source, at);

-- A source stopped after refused passwords, so that no provider locks the account. Survives restarts.
CREATE TABLE auth_stop (
    source  TEXT PRIMARY KEY NOT NULL,                                     -- as in `logins`
    since   TEXT NOT NULL,
    reason  TEXT NOT NULL                                                  -- in words for the player
) STRICT;

-- Servers in trouble: none of them is asked again before its time, whatever waits for it. Survives restarts.
CREATE TABLE outages (
    source    TEXT PRIMARY KEY NOT NULL,                                   -- as in `logins`
    since     TEXT NOT NULL,                                               -- the first failure ...
    failures  INTEGER NOT NULL,                                            -- ... of so many in a row
    until     TEXT NOT NULL,                                               -- not asked again before this
    reason    TEXT NOT NULL                                                -- of the last one, in words for the player
) STRICT;

-- What the clock of this machine said at a look that believed it, beside the machine's own count of the time, which nobody can set.
CREATE TABLE machine (
    id       INTEGER PRIMARY KEY NOT NULL CONSTRAINT machine_one CHECK (id = 1),
    start    TEXT NOT NULL,                                                -- which start of the machine the count is of
    seconds  INTEGER NOT NULL,                                             -- the count
    at       TEXT NOT NULL                                                 -- what the clock said
) STRICT;

-- Summaries ----------------------------------------------------------------------------------------------------------
-- What the lists show, made beforehand: `status` need not replay every game. Only a help: the texts are made again from the games at any time.

-- The lists read it from its start to its end, running games first: every game has its row.
CREATE TABLE summaries (
    over       INTEGER NOT NULL CONSTRAINT summary_over CHECK (over IN (0, 1)), -- the game has a result
    game       INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    until_day  TEXT,                                                       -- the last day that it can tell of
    body       TEXT,                                                       -- NULL: not summed up since the game changed
    PRIMARY KEY (over, game)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX summaries_by_game ON summaries (game);

-- The texts of so many running games as one: a list of thousands is few rows.
CREATE TABLE pages (
    number     INTEGER PRIMARY KEY,                                        -- of the games whose keys divided by 256 give it
    until_day  TEXT NOT NULL,                                              -- the last day that all of them can tell of
    body       TEXT NOT NULL
) STRICT;

-- A game that changes has another version, its summary goes, and with it the page.
CREATE TRIGGER summaries_insert AFTER INSERT ON games
BEGIN INSERT INTO summaries (over, game) VALUES (new.result IS NOT NULL, new.id); END;
CREATE TRIGGER summaries_outdated AFTER UPDATE OF version ON games
BEGIN UPDATE summaries SET over = new.result IS NOT NULL, until_day = NULL, body = NULL WHERE game = new.id; END;
CREATE TRIGGER pages_outdated_insert AFTER INSERT ON summaries
BEGIN DELETE FROM pages WHERE number = new.game / 256; END;
CREATE TRIGGER pages_outdated_update AFTER UPDATE ON summaries
BEGIN DELETE FROM pages WHERE number IN (old.game / 256, new.game / 256); END;
CREATE TRIGGER pages_outdated_delete AFTER DELETE ON summaries
BEGIN DELETE FROM pages WHERE number = old.game / 256; END;

-- Every write to a game, or to a part of it that a summary may show, changes its version, whoever writes. Of the parts that are not of the
-- game itself: a mail of the player's shows that his last move was sent, a bounce that the opponent is silent for want of it.
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
CREATE TRIGGER illegal_moves_version_insert AFTER INSERT ON illegal_moves
BEGIN UPDATE games SET version = version + 1 WHERE id = new.game; END;
CREATE TRIGGER illegal_moves_version_update AFTER UPDATE ON illegal_moves
BEGIN UPDATE games SET version = version + 1 WHERE id IN (old.game, new.game); END;
CREATE TRIGGER illegal_moves_version_delete AFTER DELETE ON illegal_moves
BEGIN UPDATE games SET version = version + 1 WHERE id = old.game; END;
CREATE TRIGGER sent_version_insert AFTER INSERT ON sent
BEGIN UPDATE games SET version = version + 1 WHERE id = new.game; END;
CREATE TRIGGER sent_version_update AFTER UPDATE ON sent
BEGIN UPDATE games SET version = version + 1 WHERE id IN (old.game, new.game); END;
CREATE TRIGGER sent_version_delete AFTER DELETE ON sent
BEGIN UPDATE games SET version = version + 1 WHERE id = old.game; END;
CREATE TRIGGER bounces_version_insert AFTER INSERT ON bounces
BEGIN UPDATE games SET version = version + 1 WHERE id = new.game; END;
CREATE TRIGGER bounces_version_update AFTER UPDATE ON bounces
BEGIN UPDATE games SET version = version + 1 WHERE id IN (old.game, new.game); END;
CREATE TRIGGER bounces_version_delete AFTER DELETE ON bounces
BEGIN UPDATE games SET version = version + 1 WHERE id = old.game; END;
