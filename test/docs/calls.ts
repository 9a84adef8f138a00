import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, childProcess, connect, type Tool } from '@rootbound/protocol/client';
import { loadDriver } from '../../servers/sqlite/src/lane/driver.ts';
import { blocksOf, type Document, root } from './documents.ts';

/** A call in a document, and the text of its result there. */
export interface Call {
  readonly line: string;
  readonly prints: string;
}

/** The result of a call, with the names of the document in its text. */
export interface Given {
  readonly text: string;
  readonly structured: unknown;
}

/** The names that a document uses for folders, addresses and random parts. */
export interface Wording {
  /** the root of the server */
  readonly folder: string;
  /** other names of the document, and their values in this run */
  readonly names?: Readonly<Record<string, string>>;
  /** parts that differ in each run, and their text in the document */
  readonly drawn?: readonly (readonly [RegExp, string])[];
  /** fills the root before the server starts */
  readonly prepare?: (root: string) => void;
}

/** Returns the calls of a document's `text calls` blocks: a line for each, and below it, indented by two, its text half. */
export function callsOf(document: Document): Call[] {
  return blocksOf(document)
    .filter(({ info }) => info === 'calls')
    .flatMap(({ text }) => text.split(/^(?=\S)/m))
    .map((part) => {
      const [line = '', ...prints] = part.trimEnd().split('\n');
      return { line, prints: prints.map((one) => one.slice(2)).join('\n') };
    });
}

/** A built server over a folder with the databases and files of a document. */
export class DocumentedServer {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-calls-')));
  readonly #client: Promise<Client>;
  readonly #wording: Wording;

  /** `data` in the arguments is the root of the server, with the databases; other files are beside it. */
  constructor(document: Document, server: string, args: readonly string[], wording: Wording) {
    this.#wording = wording;
    mkdirSync(this.#data);
    for (const { language, info, text } of blocksOf(document)) {
      const name = /^file=(\S+)$/.exec(info)?.[1];
      if (name === undefined) continue;
      if (language === 'sql') makeDatabase(join(this.#data, name), text);
      else writeFileSync(join(this.#folder, name), text);
    }
    wording.prepare?.(this.#data);
    const cli = join(root, 'servers', server, 'dist', 'cli.js');
    const transport = childProcess({ command: process.execPath, args: [cli, ...args], cwd: this.#folder });
    this.#client = connect(transport, { name: 'docs', version: '1.0.0', timeout: 120_000 });
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  async call(line: string): Promise<Given> {
    const [, name = '', args = '{}'] = /^(\S+)(?: (.*))?$/.exec(line) ?? [];
    const { folder, names = {}, drawn = [] } = this.#wording;
    const known = [...Object.entries(names), [folder, this.#data] as const];
    const actual = known.reduce((line, [name, real]) => line.replaceAll(name, real), args);
    const client = await this.#client;
    const result = await client.callTool(name, JSON.parse(actual) as Record<string, unknown>);
    const output = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    const named = known.reduce((text, [name, real]) => text.replaceAll(real, name), output);
    const text = drawn.reduce((whole, [pattern, replacement]) => whole.replace(pattern, replacement), named);
    return { text, structured: result.structuredContent };
  }

  async tools(): Promise<readonly Tool[]> {
    return (await this.#client).listTools();
  }

  async close(): Promise<void> {
    await (await this.#client).close();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function makeDatabase(path: string, sql: string): void {
  const db = new (loadDriver())(path);
  db.exec(sql);
  db.close();
}
