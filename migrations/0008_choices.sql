-- A chosen move may offer lines, carry words, and wait before it is drafted.

ALTER TABLE plans ADD COLUMN conditionals TEXT NOT NULL DEFAULT '[]'                     -- offered with the move, each: his ply, our reply, ...
    CONSTRAINT plan_conditionals CHECK (json_valid(conditionals));
ALTER TABLE plans ADD COLUMN comment TEXT;                                               -- free words of the player for the letter
ALTER TABLE plans ADD COLUMN held_until TEXT;                                            -- no draft is made before; NULL: it is made
