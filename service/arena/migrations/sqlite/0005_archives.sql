-- The events of a finished match as one compressed row, instead of one row per event.
CREATE TABLE match_archives (
    match_number INTEGER PRIMARY KEY REFERENCES matches (number),
    -- How many events. Later ones, as when a result is voided, are rows of match_events.
    entries      INTEGER NOT NULL,
    -- JSON, one event per line, compressed with gzip.
    events       BLOB    NOT NULL
) STRICT;

-- 0: the events are rows of match_events; 1: they are an archive; 2: they are damaged and stay as they are.
ALTER TABLE results ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;

-- Few results are not archived yet, and few matches are challenges: these stay small.
CREATE INDEX results_to_archive ON results (number) WHERE archived = 0;
CREATE INDEX challenges_that_are_over ON matches (ended) WHERE NOT ladder AND ended IS NOT NULL;
