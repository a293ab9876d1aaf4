-- Whether an organiser paused the bot: then only an organiser resumes it. Until now, a pause without a
-- match that led to it was an organiser's.
ALTER TABLE bots ADD COLUMN paused_by_organiser BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE bots SET paused_by_organiser = TRUE WHERE paused IS NOT NULL AND last_straw IS NULL;

CREATE INDEX bots_of_an_owner ON bots (owner);

-- Why an organiser has banned the owner, in UTF-8; NULL if the owner is not banned.
ALTER TABLE owners ADD COLUMN banned BYTEA;

-- NULL if an older version created it.
ALTER TABLE tokens ADD COLUMN created BIGINT;
ALTER TABLE invitations ADD COLUMN created BIGINT;

-- Every act of an organiser.
CREATE TABLE audit (
    number    BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at        BIGINT NOT NULL,
    -- The public part of the organiser's token, or how the act was made without one.
    organiser TEXT COLLATE "C" NOT NULL,
    act       TEXT COLLATE "C" NOT NULL,
    subject   TEXT COLLATE "C" NOT NULL,
    -- In UTF-8: a text could not hold every character.
    note      BYTEA  NOT NULL
);
