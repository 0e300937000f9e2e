-- What the clock of this machine said at a look that believed it, beside the machine's own count of the time, which nobody can set.
CREATE TABLE machine (
    id       INTEGER PRIMARY KEY NOT NULL CONSTRAINT machine_one CHECK (id = 1),
    start    TEXT NOT NULL,                                                -- which start of the machine the count is of
    seconds  INTEGER NOT NULL,
    at       TEXT NOT NULL
) STRICT;
