-- What is asked for at every look finds its rows without reading every mail, act or verdict there ever was.
CREATE INDEX sent_open ON sent (game) WHERE open = 1;
DROP INDEX verdicts_open;
CREATE INDEX verdicts_open ON verdicts (id) WHERE open = 1;
CREATE INDEX verdicts_settled ON verdicts (id) WHERE open = 0 AND outcome NOT IN ('move', 'own', 'not_game_mail');

-- A summary tells that the player's last move was seen to be sent.
CREATE TRIGGER sent_version_insert AFTER INSERT ON sent
BEGIN UPDATE games SET version = version + 1 WHERE id = new.game; END;
CREATE TRIGGER sent_version_update AFTER UPDATE ON sent
BEGIN UPDATE games SET version = version + 1 WHERE id IN (old.game, new.game); END;
CREATE TRIGGER sent_version_delete AFTER DELETE ON sent
BEGIN UPDATE games SET version = version + 1 WHERE id = old.game; END;
