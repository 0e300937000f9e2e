-- What makes this installation's own mails and codes ones that nobody else can guess.
CREATE TABLE installation (
    id          INTEGER PRIMARY KEY CONSTRAINT one_installation CHECK (id = 1),
    answer_key  BLOB NOT NULL CHECK (length(answer_key) = 32)              -- never shown, never in a mail: see letters/code.rs
) STRICT;
INSERT INTO installation (id, answer_key) VALUES (1, randomblob(32));
