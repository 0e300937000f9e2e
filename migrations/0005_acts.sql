-- What ever changed the games, in order: with the raw mails it gives the whole database again (`amici replay`).
CREATE TABLE acts (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    at    TEXT NOT NULL,                                                   -- the `now` of the act
    kind  TEXT NOT NULL,
    body  TEXT NOT NULL CONSTRAINT act_body CHECK (json_valid(body))       -- its arguments; mails and letters by their SHA-256
) STRICT;
CREATE INDEX acts_settings ON acts (id) WHERE kind = 'settings';
CREATE TRIGGER acts_keep_update BEFORE UPDATE ON acts BEGIN SELECT RAISE(ABORT, 'acts are never changed'); END;
CREATE TRIGGER acts_keep_delete BEFORE DELETE ON acts BEGIN SELECT RAISE(ABORT, 'acts are never deleted'); END;

-- A database from before starts with all it holds: what led there cannot be shown any more, what comes after it can.
INSERT INTO acts (at, kind, body)
SELECT
    (SELECT max(at) FROM (
        SELECT created_at AS at FROM games UNION ALL SELECT recorded_at FROM moves UNION ALL SELECT taken_at FROM mails
        UNION ALL SELECT chosen_at FROM plans UNION ALL SELECT at FROM events UNION ALL SELECT asked_at FROM questions)),
    'baseline',
    json_object(
        'games', json((SELECT json_group_array(json_object('id', id, 'name', name, 'event', event, 'site', site, 'me', me,
            'start_date', start_date, 'start_fen', start_fen, 'rules', rules, 'notations', notations, 'draw_offer', draw_offer,
            'result', result, 'last_message_id', last_message_id, 'root_message_id', root_message_id,
            'created_at', created_at)) FROM games)),
        'players', json((SELECT json_group_array(json_object('game', game, 'side', side, 'name', name)) FROM players)),
        'addresses', json((SELECT json_group_array(json_object('game', game, 'side', side, 'position', position,
            'address', address, 'folded', folded)) FROM addresses)),
        'mails', json((SELECT json_group_array(json_object('id', id, 'sha256', hex(sha256), 'kept', raw IS NOT NULL, 'size', size,
            'message_id', message_id, 'from_address', from_address, 'subject', subject, 'server_date', server_date,
            'taken_at', taken_at)) FROM mails)),
        'moves', json((SELECT json_group_array(json_object('game', game, 'ply', ply, 'numeric', numeric,
            'claimed_received', claimed_received, 'claimed_sent', claimed_sent, 'claimed_days', claimed_days,
            'claimed_total', claimed_total, 'observed_sent', observed_sent, 'observed_arrived', observed_arrived,
            'agreed_received', agreed_received, 'agreed_sent', agreed_sent, 'observed_sent_at', observed_sent_at,
            'observed_relayed_at', observed_relayed_at, 'observed_arrived_at', observed_arrived_at, 'agreed_days', agreed_days,
            'agreed_total', agreed_total, 'agreed_penalty', agreed_penalty, 'mail', mail, 'recorded_at', recorded_at)) FROM moves)),
        'conditionals', json((SELECT json_group_array(json_object('game', game, 'position', position, 'line', line))
            FROM conditionals)),
        'leaves', json((SELECT json_group_array(json_object('game', game, 'position', position, 'side', side,
            'from_day', from_day, 'to_day', to_day, 'announced', announced)) FROM leaves)),
        'clock_notes', json((SELECT json_group_array(json_object('game', game, 'position', position, 'ply', ply, 'kind', kind,
            'on_day', on_day, 'until_day', until_day)) FROM clock_notes)),
        'seen_message_ids', json((SELECT json_group_array(json_object('game', game, 'position', position,
            'message_id', message_id)) FROM seen_message_ids)),
        'plans', json((SELECT json_group_array(json_object('game', game, 'ply', ply, 'numeric', numeric, 'received', received,
            'sent', sent, 'days', days, 'total', total, 'draw_offer', draw_offer, 'message_id', message_id,
            'chosen_at', chosen_at)) FROM plans)),
        'verdicts', json((SELECT json_group_array(json_object('id', id, 'mail', mail, 'game', game, 'outcome', outcome,
            'reason', reason, 'plies', plies, 'stated', stated, 'discrepancies', discrepancies, 'candidates', candidates,
            'open', open, 'decided_at', decided_at)) FROM verdicts)),
        'outbox', json((SELECT json_group_array(json_object('id', id, 'kind', kind, 'game', game, 'ply', ply, 'mail', mail,
            'message_id', message_id, 'recipient', recipient, 'created_at', created_at)) FROM outbox)),
        'questions', json((SELECT json_group_array(json_object('id', id, 'verdict', verdict, 'outbox', outbox,
            'asked_at', asked_at)) FROM questions)),
        'sender_domains', json((SELECT json_group_array(json_object('address', address, 'domain', domain, 'first_at', first_at,
            'last_at', last_at, 'mails', mails)) FROM sender_domains)),
        'events', json((SELECT json_group_array(json_object('id', id, 'game', game, 'mail', mail, 'at', at, 'kind', kind,
            'text', text)) FROM events)))
WHERE EXISTS (SELECT 1 FROM games) OR EXISTS (SELECT 1 FROM mails);
