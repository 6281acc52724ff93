-- The keys of a card in the order of the list. The new index also finds them by card alone. The commands are in a block, because Citus would
-- send the whole script to its nodes for each of them, and they would refuse it.
DO $$ BEGIN
  CREATE INDEX delegated_keys_list_of_card ON delegated_keys (platform_id, card_id, created_at DESC, id DESC);
  DROP INDEX delegated_keys_of_card;
END $$;
