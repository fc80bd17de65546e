-- How far the seal outside the database (catp.seal) had come when the page was written: an older one that is put back is
-- behind it. NULL: there was none yet, since an older version of catp wrote the page.
ALTER TABLE audit_page ADD COLUMN sealed INTEGER;
