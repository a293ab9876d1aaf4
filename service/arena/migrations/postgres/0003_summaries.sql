-- What lists show of a finished match, as JSON; NULL if an older version stored the match.
ALTER TABLE results ADD COLUMN summary TEXT;
