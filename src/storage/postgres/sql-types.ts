/** Text that is compared and sorted by its bytes, as SQLite does, whatever the locale of the database. */
export const TEXT = 'text COLLATE "C"';
