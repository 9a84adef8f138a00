import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { driverPackage } from '../../src/lane/driver.ts';

const program = `
const [driver, path, sql, times] = process.argv.slice(1);
const db = new (require(driver))(path, { timeout: 120_000 });
const statement = db.prepare(sql);
for (let time = 0; time < Number(times); time += 1) {
  if (statement.reader) process.stdout.write(String(statement.pluck().get()));
  else db.transaction(() => statement.run()).immediate();
}
db.close();
`;

/** Runs a statement several times in another process, each as a transaction, and returns its output. */
export async function otherWriter(path: string, sql: string, times = 1): Promise<string> {
  const driver = createRequire(import.meta.url).resolve(driverPackage());
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['-e', program, driver, path, sql, String(times)]);
  return stdout;
}

const holding = `
const [driver, path, sql, begin] = process.argv.slice(1);
const db = new (require(driver))(path);
db.exec(begin);
const statement = db.prepare(sql);
if (statement.reader) statement.get();
else statement.run();
process.stdout.write('held');
process.stdin.on('data', (end) => db.exec(String(end))).on('end', () => db.close());
`;

/**
 * Starts another process with an open transaction of a statement; the returned function ends it, by rollback unless
 * `end` says otherwise.
 */
export async function holdOpen(
  path: string,
  sql: string,
  begin = 'BEGIN',
): Promise<(end?: 'COMMIT' | 'ROLLBACK') => Promise<void>> {
  const driver = createRequire(import.meta.url).resolve(driverPackage());
  const holder = spawn(process.execPath, ['-e', holding, driver, path, sql, begin], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  return async (end = 'ROLLBACK') => {
    holder.stdin.end(end);
    await once(holder, 'exit');
  };
}
