-- The pages of the sandbox that show the number of a card (docs/domain/cards.md#card-numbers). Neither the number nor the address of a page is
-- stored: the address ends in a MAC of the row's key.
CREATE TABLE card_number_pages (
  platform_id uuid NOT NULL,
  id uuid NOT NULL,
  card_id uuid NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  -- A page is shown once.
  shown_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, id),
  FOREIGN KEY (platform_id, card_id) REFERENCES cards (platform_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX card_number_pages_of_card ON card_number_pages (platform_id, card_id);
-- For the clean-up, which deletes them a day after they expired.
CREATE INDEX card_number_pages_expired ON card_number_pages (expires_at);
