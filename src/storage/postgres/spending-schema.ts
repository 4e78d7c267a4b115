import { ALIVE } from "./memo-schema.ts";
import { TEXT } from "./sql-types.ts";

/*
 * spending           dollars of runs; `within`: the account that has to grant every reservation too
 * spending_holds     reservations of calls in flight. `lost`: its process ended; the dollars count as spent, since the call
 *                    may have been billed. A late settlement corrects them
 * lock_accounts      every function locks a run's account, then the one around it, then holds: no two can block each other
 * Dollars are `numeric`, so that sums of many small prices are exact.
 */
export const SPENDING_TABLES = `
CREATE TABLE spending (
  run ${TEXT} PRIMARY KEY, ceiling numeric, spent numeric NOT NULL DEFAULT 0, reserved numeric NOT NULL DEFAULT 0,
  unconfirmed numeric NOT NULL DEFAULT 0, within ${TEXT}
);
CREATE TABLE spending_holds (
  id ${TEXT} PRIMARY KEY, run ${TEXT} NOT NULL, within ${TEXT}, holder ${TEXT} NOT NULL, dollars numeric NOT NULL,
  lost boolean NOT NULL DEFAULT false
);
CREATE INDEX spending_holds_by_run ON spending_holds (run) WHERE NOT lost;
CREATE FUNCTION lock_accounts(of_run text, around text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM spending WHERE run = of_run FOR UPDATE;
  PERFORM 1 FROM spending WHERE run = around FOR UPDATE;
END $$;
CREATE FUNCTION count_lost_holds(of_run text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE hold spending_holds;
BEGIN
  FOR hold IN SELECT * FROM spending_holds WHERE run = of_run AND NOT lost
    AND NOT EXISTS (SELECT 1 FROM processes WHERE processes.id = holder AND ${ALIVE})
  LOOP
    PERFORM lock_accounts(hold.run, hold.within);
    UPDATE spending_holds SET lost = true WHERE id = hold.id AND NOT lost;
    CONTINUE WHEN NOT FOUND;
    UPDATE spending SET spent = spent + hold.dollars, reserved = reserved - hold.dollars,
      unconfirmed = unconfirmed + hold.dollars
    WHERE run IN (hold.run, hold.within);
  END LOOP;
END $$;
CREATE FUNCTION open_spending(of_run text, new_ceiling double precision, before double precision, around text)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO spending (run, ceiling, spent, within) VALUES (of_run, new_ceiling::numeric, before::numeric, around)
  ON CONFLICT (run) DO UPDATE SET ceiling = excluded.ceiling, within = excluded.within,
    spent = greatest(spending.spent, excluded.spent);
$$;
CREATE FUNCTION reserve_spending(
  of_run text, of_hold text, process text, amount double precision, margin_ms bigint, OUT outcome text, OUT refused_by text
) LANGUAGE plpgsql AS $$
DECLARE around text; more numeric := amount::numeric;
BEGIN
  outcome := 'held';
  INSERT INTO spending (run) VALUES (of_run) ON CONFLICT DO NOTHING;
  SELECT within INTO around FROM spending WHERE run = of_run FOR UPDATE;
  PERFORM lock_accounts(of_run, around);
  IF EXISTS (SELECT 1 FROM spending_holds WHERE id = of_hold) THEN RETURN; END IF;
  SELECT run INTO refused_by FROM spending
  WHERE run IN (of_run, around) AND spent + reserved + more > ceiling
  ORDER BY run = of_run DESC LIMIT 1;
  IF FOUND THEN outcome := 'refused'; RETURN; END IF;
  INSERT INTO spending_holds (id, run, within, holder, dollars)
  SELECT of_hold, of_run, around, processes.id, more FROM processes
  WHERE processes.id = process AND expires_at > clock_timestamp() + margin_ms * interval '1 millisecond';
  IF NOT FOUND THEN outcome := 'silent'; RETURN; END IF;
  UPDATE spending SET reserved = reserved + more WHERE run IN (of_run, around);
END $$;
CREATE FUNCTION settle_spending(of_hold text, billed double precision) RETURNS SETOF spending LANGUAGE plpgsql AS $$
DECLARE hold spending_holds;
BEGIN
  SELECT * INTO hold FROM spending_holds WHERE id = of_hold;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM lock_accounts(hold.run, hold.within);
  DELETE FROM spending_holds WHERE id = of_hold RETURNING * INTO hold;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE spending SET
    spent = spent + billed::numeric - CASE WHEN hold.lost THEN hold.dollars ELSE 0 END,
    unconfirmed = unconfirmed - CASE WHEN hold.lost THEN hold.dollars ELSE 0 END,
    reserved = reserved - CASE WHEN hold.lost THEN 0 ELSE hold.dollars END
  WHERE run IN (hold.run, hold.within);
  RETURN QUERY SELECT * FROM spending WHERE run = hold.run;
END $$;
`;
