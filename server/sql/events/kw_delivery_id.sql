-- The id of the delivery of one event to one endpoint. Computed rather than drawn, because a delivery that is still owed
-- has no row to hold an id. The first 14 characters are the event's (the time and the sequence number within it), so that
-- an endpoint's deliveries sort as their events do; the other 12 are 60 bits of a hash of both ids. The characters of
-- base64 are mapped two to one onto the 32 of Crockford's alphabet.
-- caller: none
CREATE OR REPLACE FUNCTION kw_delivery_id(p_event text, p_webhook text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT 'job_' || substr(p_event, 5, 14) || translate(
    substr(encode(sha256(convert_to(p_event || ' ' || p_webhook, 'UTF8')), 'base64'), 1, 12),
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
    '0123456789abcdefghjkmnpqrstvwxyz0123456789abcdefghjkmnpqrstvwxyz')
$$;
