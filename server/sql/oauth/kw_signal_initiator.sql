-- Returns who initiated a change (CAEP §2), if known: derived from the cause, or from the actor that kw_record notes
-- for the transaction.
-- caller: none
CREATE OR REPLACE FUNCTION kw_signal_initiator(p_user text, p_cause text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN p_cause IN ('logout', 'identifiers_restored') THEN 'user'
    WHEN p_cause IN ('refresh_token_reused', 'code_reused', 'account_reclaimed') THEN 'policy'
    ELSE (
      SELECT CASE
        WHEN a.actor = '' THEN NULL
        -- A user who recovers their account is not logged in.
        WHEN a.actor LIKE 'anonymous%' OR split_part(a.actor, ' ', 2) = p_user THEN 'user'
        WHEN a.actor LIKE 'system%' THEN 'system'
        ELSE 'admin'
      END
      FROM (SELECT coalesce(current_setting('keywright.actor', true), '') AS actor) AS a
    )
  END
$$;
