/*
 * library_texts   texts of complete uploads. `body` is the indexed form; `text` is null if it is the same. An id is built
 *                 from the number of the owner, a count and the kind (`textId`), so that a search reads only the range of
 *                 its owner, newest first
 * library_index   the full-text index of `body`
 * library_stale   uploads whose texts may be outdated; `mark` differs after every change
 * Triggers mark uploads whoever writes the tables, so that no process can forget it, and no kill can come between.
 */
export const LIBRARY_TABLES = `
CREATE TABLE library_owners (
  number INTEGER PRIMARY KEY, owner TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE library_texts (
  id INTEGER PRIMARY KEY, upload TEXT NOT NULL, start_s REAL NOT NULL, end_s REAL NOT NULL,
  evidence TEXT, body TEXT NOT NULL, text TEXT
) STRICT;
CREATE INDEX library_texts_by_upload ON library_texts (upload);
CREATE VIRTUAL TABLE library_index USING fts5 (
  body, content = 'library_texts', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
INSERT INTO library_index (library_index, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER library_texts_added AFTER INSERT ON library_texts BEGIN
  INSERT INTO library_index (rowid, body) VALUES (new.id, new.body);
END;
CREATE TRIGGER library_texts_removed AFTER DELETE ON library_texts BEGIN
  INSERT INTO library_index (library_index, rowid, body) VALUES ('delete', old.id, old.body);
END;
CREATE TABLE library_stale (
  number INTEGER PRIMARY KEY AUTOINCREMENT, upload TEXT NOT NULL UNIQUE, mark TEXT NOT NULL
) STRICT;
${marking("uploads_added", "INSERT ON uploads WHEN new.hash IS NOT NULL", "new.id")}
${marking(
  "uploads_changed",
  `UPDATE OF name, hash ON uploads
   WHEN new.hash IS NOT NULL AND (new.name IS NOT old.name OR new.hash IS NOT old.hash)`,
  "new.id",
)}
${marking("uploads_removed", "DELETE ON uploads WHEN old.hash IS NOT NULL", "old.id")}
${marking("tags_added", "INSERT ON upload_tags", "new.upload")}
${marking("tags_removed", "DELETE ON upload_tags", "old.upload")}
${marking("asked_added", "INSERT ON asked WHEN new.open = 0", "new.upload")}
${marking(
  "asked_changed",
  "UPDATE ON asked WHEN new.open = 0 AND (old.open = 1 OR new.json IS NOT old.json)",
  "new.upload",
)}
${marking("asked_removed", "DELETE ON asked WHEN old.open = 0", "old.upload")}
INSERT INTO library_stale (upload, mark)
  SELECT id, hex(randomblob(8)) FROM uploads WHERE hash IS NOT NULL ORDER BY created_at;
`;

/** A trigger that marks an upload. It deletes and inserts: a conflict clause of the outer statement would replace its own. */
function marking(name: string, on: string, upload: string): string {
  return `CREATE TRIGGER library_${name} AFTER ${on} BEGIN
  DELETE FROM library_stale WHERE upload = ${upload};
  INSERT INTO library_stale (upload, mark) VALUES (${upload}, hex(randomblob(8)));
END;`;
}
