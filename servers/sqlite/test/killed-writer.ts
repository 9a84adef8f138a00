import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { driverPackage } from '../src/lane/driver.ts';

/** A program that is killed within a transaction; its small cache spills changes into the files before. */
const program = `
const [driver, path, sql] = process.argv.slice(1);
const db = new (require(driver))(path);
db.pragma('cache_size = 5');
db.exec('BEGIN IMMEDIATE');
db.exec(sql);
process.kill(process.pid, 'SIGKILL');
`;

/** Leaves a database as after a writer that was killed within a transaction with these statements. */
export function killWriterAfter(path: string, sql: string): void {
  const driver = createRequire(import.meta.url).resolve(driverPackage());
  const { signal, stderr } = spawnSync(process.execPath, ['-e', program, driver, path, sql]);
  if (signal !== 'SIGKILL') throw new Error(`the writer ended by itself: ${stderr.toString()}`);
}
