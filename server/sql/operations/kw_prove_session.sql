-- Proves that a connection has settings with which a tenant can be entered and read, under row-level security. Returns
-- p_sample: whether it comes back unchanged depends on DateStyle.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_prove_session(p_sample timestamptz) RETURNS timestamptz LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter('isolation-check');
  PERFORM FROM isolation_check;
  RETURN p_sample;
END
$$;
