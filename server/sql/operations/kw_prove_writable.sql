-- Proves that a process can write: a row, whose commit the caller waits for, and a file in the data folder. The row is one
-- of a node whose lease has ended: it is not listed, and housekeeping deletes it, whether or not the process still runs.
-- No index contains seen_at, so that the row is updated in its page (HOT). That needs no room on the disk: more numbers
-- than fit into work_mem do, in a temporary file.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_prove_writable(p_process text, p_host text, p_version text)
RETURNS void LANGUAGE plpgsql SET lock_timeout = '200ms' SET work_mem = '64kB' SET temp_tablespaces = '' AS $$
BEGIN
  PERFORM set_config('role', 'keywright_system', true);
  UPDATE nodes SET seen_at = now() WHERE id = p_process;
  IF NOT FOUND THEN
    INSERT INTO nodes (id, host, version, processes, started_at, seen_at, expires_at)
    VALUES (p_process, p_host, p_version, 1, now(), now(), '-infinity')
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at;
  END IF;
  PERFORM count(*) FROM generate_series(1, 8000);
END
$$;
