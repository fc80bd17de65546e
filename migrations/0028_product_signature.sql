-- What the names of a product hold, in 128 bits (src/validation/trigrams.ts): a search for words passes over what cannot hold
-- them without its row. Every product has its row here; -1 says of one that it may hold anything, and its texts are asked.
CREATE TABLE product_signature (
  product_id INTEGER PRIMARY KEY,
  low        INTEGER NOT NULL,
  high       INTEGER NOT NULL
) STRICT;

-- Those that are there already get their signatures from the server (product/signature-store.ts).
INSERT INTO product_signature (product_id, low, high) SELECT id, -1, -1 FROM product ORDER BY id;
INSERT INTO folder_mark (name, value) SELECT 'signed', 'true' WHERE NOT EXISTS (SELECT 1 FROM product);
