import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { driverPackage } from '../../src/lane/driver.ts';

/** The program of another process: each input line is SQL, or a command to end. */
const program = `
const Database = require(process.argv[1]);
const db = new Database(process.argv[2], { timeout: 120_000 });
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const sql = JSON.parse(line);
  let answer = 'ok';
  try { db.exec(sql); } catch (error) { answer = String(error); }
  process.stdout.write(JSON.stringify(answer) + '\\n');
}).on('close', () => { db.close(); });
`;

/** A process that has a database open. */
export class Writer {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #gone: Promise<unknown>;

  constructor(database: string) {
    const driver = createRequire(import.meta.url).resolve(driverPackage());
    this.#process = spawn(process.execPath, ['-e', program, driver, database], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#gone = new Promise((resolve) => this.#process.once('close', resolve));
    this.#lines = createInterface({ input: this.#process.stdout! })[Symbol.asyncIterator]();
  }

  async run(sql: string): Promise<void> {
    this.#process.stdin!.write(`${JSON.stringify(sql)}\n`);
    const { value } = (await this.#lines.next()) as { value: string };
    const answer = JSON.parse(value) as string;
    if (answer !== 'ok') throw new Error(answer);
  }

  /** Ends the process after it has closed its database. */
  async end(): Promise<void> {
    this.#process.stdin!.end();
    await this.#gone;
  }

  /** Kills the process. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#gone;
  }
}
