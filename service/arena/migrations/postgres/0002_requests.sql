-- Hash of the id of the request that registered the bot, so that it can be repeated.
ALTER TABLE bots ADD COLUMN request BYTEA;

-- Few matches are voided: this stays small, and finds them among all that are over.
CREATE INDEX seats_of_voided_matches ON seats (match_number) WHERE placement = 0;
