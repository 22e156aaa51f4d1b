-- Rejects a row that meets the condition of its trigger.
CREATE OR REPLACE FUNCTION kw_reject_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'new row for "%" violates "%"', TG_TABLE_NAME, TG_NAME USING ERRCODE = 'check_violation';
END
$$;
