-- Whether the first start generated the password of the administrator, and no system administrator has logged in yet.
ALTER TABLE installation ADD COLUMN has_unused_secret boolean NOT NULL DEFAULT false;
