-- Whether an organiser paused the bot: then only an organiser resumes it. Until now, a pause without a
-- match that led to it was an organiser's.
ALTER TABLE bots ADD COLUMN paused_by_organiser INTEGER NOT NULL DEFAULT 0;
UPDATE bots SET paused_by_organiser = 1 WHERE paused IS NOT NULL AND last_straw IS NULL;

CREATE INDEX bots_of_an_owner ON bots (owner);

-- Why an organiser has banned the owner; NULL if the owner is not banned.
ALTER TABLE owners ADD COLUMN banned TEXT;

-- NULL if an older version created it.
ALTER TABLE tokens ADD COLUMN created INTEGER;
ALTER TABLE invitations ADD COLUMN created INTEGER;

-- Every act of an organiser.
CREATE TABLE audit (
    number    INTEGER PRIMARY KEY AUTOINCREMENT,
    at        INTEGER NOT NULL,
    -- The public part of the organiser's token, or how the act was made without one.
    organiser TEXT    NOT NULL,
    act       TEXT    NOT NULL,
    subject   TEXT    NOT NULL,
    note      TEXT    NOT NULL
) STRICT;
