import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { WatchHub } from '@rootbound/kit/watch';
import { type AnyTool, catalogOf, type ToolCatalog } from '@rootbound/protocol';
import { messageOf } from '../shared/error.ts';
import type { Workspace } from '../workspace.ts';
import { checkQueries } from './check.ts';
import { type CannedQuery, parseQueries } from './definition.ts';
import { cannedTool } from './tool.ts';

export interface CannedQueriesOptions {
  readonly file: string;
  /** names of the server's own tools */
  readonly taken: ReadonlySet<string>;
  /** returns the problem that a query has with its database, undefined if none */
  readonly tryOut: (query: CannedQuery) => Promise<string | undefined>;
  /** called after the tools have changed */
  readonly changed: () => void;
  /** called with one line for each problem of the file */
  readonly report: (problem: unknown) => void;
}

const MOST_BYTES = 1 << 20;

/** The canned queries as tools. They follow their file; after an edit that cannot be read the previous tools stay. */
export class CannedQueries {
  readonly #options: CannedQueriesOptions;
  readonly #hub: WatchHub;
  #catalog: ToolCatalog<Workspace> = catalogOf<Workspace>([]);
  #names: ReadonlySet<string> = new Set();
  #text: string | undefined;
  #reading: Promise<void>;
  #closed = false;

  constructor(options: CannedQueriesOptions) {
    this.#options = options;
    // a hub with OS watches would share them with the hub that watches databases; polling one file is cheap
    this.#hub = new WatchHub({ usePolling: true, onError: options.report });
    this.#reading = this.#start();
  }

  /** Returns the tools of the last valid file, after a read that is under way. */
  async current(): Promise<ToolCatalog<Workspace>> {
    await this.#reading;
    return this.#catalog;
  }

  /** Returns whether one of the tools has this name. */
  has(name: string): boolean {
    return this.#names.has(name);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#reading;
    await this.#hub.close();
  }

  async #start(): Promise<void> {
    await this.#watch().catch(this.#options.report);
    await this.#read();
  }

  async #watch(): Promise<void> {
    const path = resolve(this.#options.file);
    const folder = await realpath(dirname(path));
    // the link and its target may each be replaced
    const named = join(folder, basename(path));
    const real = await realpath(named).catch(() => named);
    for (const place of new Set([named, real])) await this.#hub.watch(place, 'file', () => this.#reload());
  }

  #reload(): void {
    this.#reading = this.#reading.then(async () => {
      if (this.#closed) return;
      if (await this.#read()) this.#options.changed();
    });
  }

  /** Reads the file again and returns whether the tools have changed. Never rejects. */
  async #read(): Promise<boolean> {
    const { file, report } = this.#options;
    try {
      const text = await textOf(file);
      if (text === this.#text) return false;
      this.#text = text;
      const queries = parseQueries(text);
      checkQueries(queries, this.#options.taken);
      const tools: AnyTool<Workspace>[] = [];
      for (const query of queries) {
        const problem = await this.#options.tryOut(query);
        if (problem === undefined) tools.push(await toolOf(query));
        else report(`${file}: ${query.name}.sql: ${problem}; the tool is not offered`);
      }
      this.#catalog = catalogOf(tools, { outputs: 'object' });
      this.#names = new Set(tools.map(({ name }) => name));
      return true;
    } catch (error) {
      const kept = this.#names.size === 0 ? 'no tools were made' : 'the previous tools stay';
      report(`${file}: ${messageOf(error)}; ${kept}`);
      return false;
    }
  }
}

async function toolOf(query: CannedQuery): Promise<AnyTool<Workspace>> {
  const runner = query.write
    ? (await import('../tools/write-query.ts')).writeQuery
    : (await import('../tools/read-query.ts')).readQuery;
  return cannedTool(query, runner);
}

async function textOf(file: string): Promise<string> {
  const bytes = await readFile(file);
  if (bytes.length > MOST_BYTES) throw new TypeError(`the file is larger than ${MOST_BYTES} bytes`);
  return bytes.toString();
}
