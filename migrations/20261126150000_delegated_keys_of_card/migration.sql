-- The keys of a card in the order of the list. The new index also finds them by card alone.
CREATE INDEX delegated_keys_list_of_card ON delegated_keys (platform_id, card_id, created_at DESC, id DESC);
DROP INDEX delegated_keys_of_card;
