-- Proves that a connection's settings allow entering and reading a tenant under row-level security. Returns p_sample:
-- whether it comes back unchanged depends on DateStyle.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_prove_session(p_sample timestamptz) RETURNS timestamptz LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter('isolation-check');
  PERFORM FROM isolation_check;
  RETURN p_sample;
END
$$;
