import { TEXT } from "./sql-types.ts";

/** SQL: whether a row of `processes` is of a running store. */
export const ALIVE = "expires_at > clock_timestamp()";

/*
 * processes   open stores that run steps or use remote files, until `expires_at` by the clock of the database
 * steps       stored results; `run` is '' for results that every run may use
 * leases      steps in flight, with the process that runs them
 * start_step  takes the lease of a step if it is free, or returns the stored value. The row of the process must live for
 *             `margin_ms`, until its first heartbeat. The function looks for the value after it has
 *             taken the lease: before, another process may have stored the value and ended its lease in between
 * store_step  ends a lease and stores the value, unless the lease was forgotten or taken over
 */
export const MEMO_TABLES = `
CREATE TABLE processes (
  id ${TEXT} PRIMARY KEY, host ${TEXT} NOT NULL, pid bigint NOT NULL, started ${TEXT} NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE TABLE steps (
  key ${TEXT}, run ${TEXT}, value ${TEXT} NOT NULL,
  PRIMARY KEY (key, run)
);
CREATE TABLE step_tags (
  tag ${TEXT}, key ${TEXT},
  PRIMARY KEY (tag, key)
);
CREATE INDEX step_tags_by_key ON step_tags (key);
CREATE TABLE leases (
  key ${TEXT} PRIMARY KEY, holder ${TEXT} NOT NULL, turn bigint NOT NULL, tags text[] NOT NULL
);
CREATE INDEX leases_by_holder ON leases (holder);
CREATE FUNCTION is_json(value text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  PERFORM value::json;
  RETURN true;
EXCEPTION WHEN OTHERS THEN
  RETURN false;
END $$;
CREATE FUNCTION start_step(
  of_key text, for_run text, process text, of_turn bigint, with_tags text[], gone text, margin_ms bigint,
  OUT taken boolean, OUT stored text, OUT stored_run text
) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO leases (key, holder, turn, tags)
  SELECT of_key, id, of_turn, with_tags FROM processes
  WHERE id = process AND expires_at > clock_timestamp() + margin_ms * interval '1 millisecond'
  ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, turn = excluded.turn, tags = excluded.tags
  WHERE leases.holder = process OR leases.holder = gone
    OR NOT EXISTS (SELECT 1 FROM processes WHERE id = leases.holder AND ${ALIVE});
  taken := FOUND;
  SELECT value, run INTO stored, stored_run FROM steps
  WHERE key = of_key AND run IN ('', for_run) AND is_json(value) ORDER BY run LIMIT 1;
  IF taken AND stored IS NOT NULL THEN
    DELETE FROM leases WHERE key = of_key AND holder = process AND turn = of_turn;
    taken := false;
  END IF;
END $$;
CREATE FUNCTION store_step(
  of_key text, of_run text, process text, of_turn bigint, with_tags text[], with_value text
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM leases WHERE key = of_key AND holder = process AND turn = of_turn;
  IF NOT FOUND THEN RETURN; END IF;
  IF of_run = '' THEN DELETE FROM steps WHERE key = of_key; END IF;
  INSERT INTO steps (key, run, value) VALUES (of_key, of_run, with_value)
  ON CONFLICT (key, run) DO UPDATE SET value = excluded.value;
  INSERT INTO step_tags (tag, key) SELECT tag, of_key FROM unnest(with_tags) AS tag ON CONFLICT DO NOTHING;
END $$;
`;
