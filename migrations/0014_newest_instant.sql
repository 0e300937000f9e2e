-- The newest instant on record is asked for by every command: it is found without reading through the acts and the mails.

CREATE INDEX acts_by_at ON acts (at);
-- The player's word that his clock is right, after it ran ahead: what stands before it says nothing about the clock any more.
CREATE INDEX acts_clock_right ON acts (id) WHERE kind = 'clock-right';
-- Mails that a server took later than the clock of this machine said.
CREATE INDEX mails_by_server_date ON mails (server_date) WHERE server_date > taken_at;
CREATE INDEX arrivals_by_mail ON arrivals (mail);
