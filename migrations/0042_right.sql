-- A representation in the profile of the catalogue has a right (contract section 27); one in another profile has none.
ALTER TABLE representation ADD COLUMN papel TEXT CHECK (papel IN ('leitura', 'preenchimento', 'aprovacao'));
UPDATE representation SET papel = 'aprovacao' WHERE perfil = 'IMPEXP';
