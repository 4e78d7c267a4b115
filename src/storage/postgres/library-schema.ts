import { TEXT } from "./sql-types.ts";

/*
 * library_texts   texts of complete uploads; `words` is the index of a text, with positions
 * library_stale   uploads whose texts may be outdated; `mark` differs after every change
 * Triggers mark uploads whoever writes the tables, so that no process can forget it, and no kill can come between.
 */
export const LIBRARY_TABLES = `
CREATE TABLE library_texts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, owner ${TEXT} NOT NULL, upload ${TEXT} NOT NULL,
  kind integer NOT NULL, start_s double precision NOT NULL, end_s double precision NOT NULL, evidence ${TEXT},
  text ${TEXT} NOT NULL, words tsvector NOT NULL
);
CREATE INDEX library_texts_by_upload ON library_texts (upload);
CREATE INDEX library_texts_words ON library_texts USING gin (words);
CREATE SEQUENCE library_stale_number;
CREATE TABLE library_stale (
  number bigint NOT NULL DEFAULT nextval('library_stale_number'), upload ${TEXT} PRIMARY KEY, mark ${TEXT} NOT NULL
);
CREATE FUNCTION mark_stale(of_upload text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO library_stale (upload, mark) VALUES (of_upload, gen_random_uuid()::text)
  ON CONFLICT (upload) DO UPDATE SET mark = excluded.mark, number = excluded.number;
$$;
CREATE FUNCTION mark_own() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_stale(CASE WHEN TG_OP = 'DELETE' THEN old.id ELSE new.id END);
  RETURN NULL;
END $$;
CREATE FUNCTION mark_upload() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_stale(CASE WHEN TG_OP = 'DELETE' THEN old.upload ELSE new.upload END);
  RETURN NULL;
END $$;
${marking("uploads_added", "INSERT ON uploads", "new.hash IS NOT NULL", "mark_own")}
${marking(
  "uploads_changed",
  "UPDATE OF name, hash ON uploads",
  "new.hash IS NOT NULL AND (new.name <> old.name OR new.hash IS DISTINCT FROM old.hash)",
  "mark_own",
)}
${marking("uploads_removed", "DELETE ON uploads", "old.hash IS NOT NULL", "mark_own")}
${marking("tags_added", "INSERT ON upload_tags", "true", "mark_upload")}
${marking("tags_removed", "DELETE ON upload_tags", "true", "mark_upload")}
${marking("asked_added", "INSERT ON asked", "new.open = 0", "mark_upload")}
${marking(
  "asked_changed",
  "UPDATE ON asked",
  "new.open = 0 AND (old.open = 1 OR new.json <> old.json)",
  "mark_upload",
)}
${marking("asked_removed", "DELETE ON asked", "old.open = 0", "mark_upload")}
`;

function marking(name: string, on: string, when: string, action: string): string {
  return `CREATE TRIGGER library_${name} AFTER ${on} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${action}();`;
}
