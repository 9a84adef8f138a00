import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { driverPackage } from '../src/lane/driver.ts';

/** What a program does that dies within a transaction; with so small a cache its changes reach the files before. */
const program = `
const [driver, path, sql] = process.argv.slice(1);
const db = new (require(driver))(path);
db.pragma('cache_size = 5');
db.exec('BEGIN IMMEDIATE');
db.exec(sql);
process.kill(process.pid, 'SIGKILL');
`;

/** Leaves a database as a writer does that was killed within a transaction which had done this. */
export function killWriterAfter(path: string, sql: string): void {
  const driver = createRequire(import.meta.url).resolve(driverPackage());
  const { signal, stderr } = spawnSync(process.execPath, ['-e', program, driver, path, sql]);
  if (signal !== 'SIGKILL') throw new Error(`the writer ended by itself: ${stderr.toString()}`);
}
