-- Earlier releases stored the parts of an owner's address that were sent as null. A field without a value is absent.

UPDATE beneficial_owners SET personal_info = jsonb_strip_nulls(personal_info) WHERE personal_info <> jsonb_strip_nulls(personal_info);
