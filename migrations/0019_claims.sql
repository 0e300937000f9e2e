-- The lists ask which claims were drafted: without reading every line that the journal ever had.
CREATE INDEX events_claims ON events (game) WHERE kind = 'claim';
