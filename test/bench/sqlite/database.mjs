import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const server = join(dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url))))), 'servers', 'sqlite');
const require = createRequire(join(server, 'package.json'));
const driver = Number(process.versions.napi) >= 10 ? 'better-sqlite3' : '@rootbound/sqlite-node20';

/** The SQLite driver of the server under this Node. */
export const Database = require(driver);

export const ROWS = 1_000_000;

/**
 * Creates a database in WAL mode with a table of this number of rows with six columns, one of them indexed.
 * @param {string} folder
 * @param {number} rows
 */
export function makeDatabase(folder, rows = ROWS) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'bench.db');
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.exec(
    'CREATE TABLE reading (id INTEGER PRIMARY KEY, at TEXT, sensor INTEGER, value REAL, note TEXT, flag INTEGER)',
  );
  db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
    INSERT INTO reading SELECT i, '2026-01-01T00:00:' || i, i * 7919 % ${rows}, i / 3.0, 'note of ' || i, i % 2 FROM n`);
  db.exec('CREATE INDEX reading_sensor ON reading (sensor)');
  db.exec('CREATE TABLE event (id INTEGER PRIMARY KEY, text TEXT)');
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  return path;
}
