-- What the clocks of every club need: the instants that servers saw, what the players settled, leave, announcements and repeats.

ALTER TABLE moves ADD COLUMN observed_sent_at TEXT;                       -- the Date header with its offset ...
ALTER TABLE moves ADD COLUMN observed_relayed_at TEXT;                    -- ... the provider's topmost Received ...
ALTER TABLE moves ADD COLUMN observed_arrived_at TEXT;                    -- ... and INTERNALDATE: days are counted from dates, 24-hour clocks from these
ALTER TABLE moves ADD COLUMN agreed_days INTEGER;                         -- settled by the player in place of what the dates give ...
ALTER TABLE moves ADD COLUMN agreed_total INTEGER;                        -- ... the journal keeps what stood there before
ALTER TABLE moves ADD COLUMN agreed_penalty INTEGER;                      -- days added for an illegal move or an ignored conditional

CREATE TABLE leaves (
    game       INTEGER NOT NULL REFERENCES games (id),
    position   INTEGER NOT NULL,
    side       TEXT NOT NULL CONSTRAINT leave_side CHECK (side IN ('white', 'black')),
    from_day   TEXT NOT NULL,
    to_day     TEXT NOT NULL,                                             -- included
    announced  TEXT,                                                      -- NULL: nobody knows when
    PRIMARY KEY (game, position),
    CONSTRAINT leave_order CHECK (from_day <= to_day)
) STRICT;

CREATE TABLE clock_notes (
    game       INTEGER NOT NULL REFERENCES games (id),
    position   INTEGER NOT NULL,
    ply        INTEGER NOT NULL CONSTRAINT clock_note_ply CHECK (ply >= 1),  -- the ply being thought about
    kind       TEXT NOT NULL CONSTRAINT clock_note_kind CHECK (kind IN ('announced', 'repeated')),
    on_day     TEXT NOT NULL,
    until_day  TEXT,                                                      -- how long the thinking side said it would need
    PRIMARY KEY (game, position)
) STRICT;
