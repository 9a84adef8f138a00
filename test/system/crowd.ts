import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { call, type Outcome } from './world.ts';

/** Returns a generator of pseudo-random numbers with a seed. */
export function random(seed: number): () => number {
  let state = (seed + 1) * 0x9e37_79b1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x6d2b_79f5) >>> 0;
    return ((state ^ (state >>> 12)) >>> 0) / 2 ** 32;
  };
}

/** Error codes of a lost race, after which a caller reads again. */
const losing = /^(?:done|changed|exists|not-found)$/;

const MiB = 1024 * 1024;

/** A hundred concurrent calls on ten files, each with a check of the final state. */
export class Crowd {
  readonly #root: string;
  readonly #alone: boolean;
  readonly #random: () => number;
  readonly #faults: string[] = [];
  readonly #checks: (() => void)[] = [];
  #tokens = 0;

  /** `alone`: all calls go to one server; another one can change a file right before it is replaced */
  constructor(root: string, seed: number, alone: boolean) {
    this.#alone = alone;
    this.#root = root;
    this.#random = random(seed);
    for (const name of ['log-0', 'log-1', 'log-2', 'log-3']) writeFileSync(this.#at(name), 'start\nend\n');
    for (const name of ['whole-0', 'whole-1', 'whole-2']) writeFileSync(this.#at(name), this.#whole(10));
    writeFileSync(this.#at('count'), '0\n');
    for (const name of ['moving-0', 'moving-1']) writeFileSync(this.#at(name), this.#whole(10));
  }

  /** Makes the calls and returns the faults of the final state. */
  async run(clients: readonly Client[]): Promise<string[]> {
    const kinds = [
      ...Array.from({ length: 30 }, () => this.#insert),
      ...Array.from({ length: 15 }, () => this.#append),
      ...Array.from({ length: 15 }, () => this.#write),
      ...Array.from({ length: 10 }, () => this.#read),
      ...Array.from({ length: 8 }, () => this.#copy),
      ...Array.from({ length: 10 }, () => this.#increment),
      ...Array.from({ length: 4 }, () => this.#look),
    ].sort(() => this.#random() - 0.5);
    const calls = kinds.map((kind, n) => kind.call(this, clients[n % clients.length]!));
    for (const n of [0, 1]) calls.push(this.#once(`moving-${n}`, clients), this.#once(`made-${n}`, clients));
    await Promise.all(calls);
    for (const check of this.#checks) check();
    const count = Number(this.#content('count'));
    this.#expect(this.#alone ? count === 10 : count > 0 && count <= 10, `the count is ${count}`);
    const left = readdirSync(this.#root).filter((name) => name.startsWith('.rootbound-'));
    this.#expect(left.length === 0, `left behind: ${left.join()}`);
    for (const name of readdirSync(this.#root))
      if (/^(?:whole|copy|moving|made|moved)/.test(name)) this.#expectWhole(name, this.#content(name));
    return this.#faults;
  }

  /** Inserts a unique line by an edit, which must be in the file once if the call succeeds, or else never. */
  async #insert(client: Client): Promise<void> {
    const { path, token } = this.#line();
    const edits = [{ oldText: 'end\n', newText: `${token}\nend\n` }];
    let ifMatch: unknown;
    if (this.#random() < 0.3) ({ etag: ifMatch } = (await call(client, 'read_text_file', { path })).facts);
    const { code } = await call(client, 'edit_file', { path, edits, ...(ifMatch ? { ifMatch } : {}) });
    const mayLose = ifMatch !== undefined || !this.#alone;
    this.#expect(code === 'done' || (mayLose && code === 'changed'), `edit_file: ${code}`);
    this.#landed(path, token, code);
  }

  async #append(client: Client): Promise<void> {
    const { token } = this.#line();
    const { code } = await call(client, 'write_file', {
      path: 'appended',
      content: `${token}\n`,
      append: true,
    });
    // of several concurrent calls one creates it
    this.#expect(/^(?:done|exists|changed)$/.test(code), `append: ${code}`);
    this.#landed('appended', token, code);
  }

  async #write(client: Client): Promise<void> {
    const path = this.#pick('whole', 3);
    const content = this.#whole(this.#random() < 0.2 ? 1.5 * MiB : 20_000);
    const { code } = await call(client, 'write_file', { path, content });
    this.#expect(code === 'done' || (!this.#alone && code === 'changed'), `write_file: ${code}`);
  }

  async #read(client: Client): Promise<void> {
    const path = this.#pick('whole', 3);
    const outcome = await call(client, 'read_text_file', { path });
    this.#expect(outcome.code === 'done', `read_text_file: ${outcome.code}`);
    if (outcome.facts.truncated === false) this.#expectWhole(path, String(outcome.facts.text));
  }

  async #copy(client: Client): Promise<void> {
    const destination = `copy-${this.#tokens++}`;
    const { code } = await call(client, 'copy_file', { source: this.#pick('whole', 3), destination });
    this.#expect(/^(?:done|changed)$/.test(code), `copy_file: ${code}`);
    this.#checks.push(() =>
      this.#expect(existsSync(this.#at(destination)) === (code === 'done'), `a copy that is ${code}`),
    );
  }

  /** Increments a number by read and write with ifMatch, until it succeeds. */
  async #increment(client: Client): Promise<void> {
    for (;;) {
      const { text, facts } = await call(client, 'read_text_file', { path: 'count' });
      const write = { path: 'count', content: `${Number(text) + 1}\n`, ifMatch: facts.etag };
      const { code } = await call(client, 'write_file', write);
      if (code === 'done') return;
      this.#expect(code === 'changed', `an increment: ${code}`);
      if (code !== 'changed') return;
    }
  }

  async #look(client: Client): Promise<void> {
    const outcomes = await Promise.all([
      call(client, 'list_directory', { path: '.', details: true }),
      call(client, 'search_content', { path: '.', pattern: 'start' }),
    ]);
    for (const { code, text } of outcomes) {
      this.#expect(code === 'done', `looking: ${code}`);
      this.#expect(!text.includes('.rootbound-'), 'what is temporary was shown');
    }
  }

  /** Lets all clients create the same name exclusively, of which one succeeds. */
  async #once(name: string, clients: readonly Client[]): Promise<void> {
    const moves = name.startsWith('moving');
    const outcomes = await Promise.all(
      clients.flatMap((client, n): Promise<Outcome>[] => [
        moves
          ? call(client, 'move_file', { source: name, destination: `moved-${name}-${n}` })
          : call(client, 'write_file', { path: name, content: this.#whole(100), exclusive: true }),
      ]),
    );
    const codes = outcomes.map(({ code }) => code);
    this.#expect(
      codes.every((code) => losing.test(code)),
      `${name}: ${codes.join()}`,
    );
    this.#expect(codes.filter((code) => code === 'done').length === 1, `${name}: ${codes.join()}`);
  }

  #landed(path: string, token: string, code: string): void {
    this.#checks.push(() => {
      const times = this.#content(path).split(`${token}\n`).length - 1;
      const right = code === 'done' ? times === 1 || (times === 0 && !this.#alone) : times === 0;
      this.#expect(right, `${path} has ${times} times what is ${code}`);
    });
  }

  #line(): { path: string; token: string } {
    return { path: this.#pick('log', 4), token: `<${this.#tokens++}>` };
  }

  /** Returns a content in which a missing part can be detected. */
  #whole(size: number): string {
    const token = `[${this.#tokens++}]`;
    return `${token}${'.'.repeat(size)}${token}`;
  }

  #expectWhole(name: string, content: string): void {
    this.#expect(/^(\[\d+\])\.+\1$/.test(content), `${name} is not whole: ${content.slice(0, 40)}`);
  }

  #pick(kind: string, count: number): string {
    return `${kind}-${Math.floor(this.#random() * count)}`;
  }

  #at(name: string): string {
    return join(this.#root, name);
  }

  #content(name: string): string {
    return readFileSync(this.#at(name), 'utf8');
  }

  #expect(holds: boolean, otherwise: string): void {
    if (!holds) this.#faults.push(otherwise);
  }
}
