import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach } from 'vitest';
import { bundledParts } from '../bundled.ts';

/** The built server, for a test. */
type Parts = typeof import('./parts.ts');

/** Fields of the structured half that tests read; each tool has some of them. */
export interface Structured {
  entries: { name: string; path: string; type: string; bytes?: string }[];
  matches: { path: string; type: string }[];
  files: { path: string; count?: number; matches?: { line: number; text: string }[] }[];
  roots: { path: string }[];
  reason: string;
  containment: string;
  etag?: string;
  modified?: string;
  total?: number;
  truncated: boolean;
  nextCursor?: string;
}

export interface Result {
  content: { type: string; text: string }[];
  structuredContent: Structured;
  isError?: boolean;
  _meta?: { failure: { code: string; retryable: boolean } };
}

interface Message {
  id?: number;
  method?: string;
  params?: { progressToken: number; progress: number; total?: number };
  result?: Result;
  error?: { code: number; message: string };
}

export interface Served {
  call(name: string, args?: Record<string, unknown>): Promise<Result>;
  /** sends a request that can be cancelled; `progressed` settles at its first progress */
  start(
    name: string,
    args: Record<string, unknown>,
  ): { id: number; answer: Promise<Result>; progressed: Promise<void> };
  /** the result of `tools/list` */
  tools(): Promise<{ name: string; annotations: object; outputSchema: object }[]>;
  cancel(id: number): void;
  progress: { progress: number; total?: number }[];
  /** received responses by id */
  answered: Set<number>;
}

/** Starts the built server with its workers over raw lines, and creates a folder with `root` and `outside` per test. */
export function servedTests() {
  let top = '';
  const parts = bundledParts();
  beforeEach(() => {
    top = mkdtempSync(join(realpathSync(tmpdir()), 'rootbound-listing-'));
    mkdirSync(join(top, 'root'));
    mkdirSync(join(top, 'outside'));
  });
  afterEach(async () => {
    await parts().closeAll();
    rmSync(top, { recursive: true, force: true });
  });
  return {
    get root() {
      return join(top, 'root');
    },
    get outside() {
      return join(top, 'outside');
    },
    put(path: string, text: string | Buffer = ''): string {
      const file = join(top, 'root', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    serve: (options: Parameters<Parts['serve']>[0]) => connect(parts().serve(options)),
    /** a session on `root` */
    session: (maxOutput = 102_400, readOnly = false) =>
      connect(parts().serve({ roots: [{ path: join(top, 'root'), readOnly }], maxOutput })),
    bestEffort: (deny: readonly string[] = []) =>
      connect(parts().serveBestEffort([{ path: join(top, 'root'), readOnly: false }], deny)),
  };
}

async function connect(end: ReturnType<Parts['serve']>): Promise<Served> {
  const waiting = new Map<number, (message: Message) => void>();
  const progressed = new Map<number, () => void>();
  const served: Pick<Served, 'progress' | 'answered'> = { progress: [], answered: new Set() };
  createInterface({ input: end.input }).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    if (message.method === 'notifications/progress') {
      const { progressToken, ...rest } = message.params!;
      served.progress.push(rest);
      progressed.get(progressToken)?.();
    }
    if (message.id === undefined) return;
    served.answered.add(message.id);
    waiting.get(message.id)?.(message);
  });
  let lastId = 0;
  const send = (message: object): void => {
    end.output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const request = (method: string, params: Record<string, unknown>, id: number): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.set(id, ({ result, error }) => {
        if (result !== undefined) resolve(result);
        else reject(new Error(`${error?.code}: ${error?.message}`));
      });
      send({ id, method, params });
    });
  await request(
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
    ++lastId,
  );
  send({ method: 'notifications/initialized' });
  return {
    ...served,
    call: (name, args = {}) => request('tools/call', { name, arguments: args }, ++lastId),
    start(name, args) {
      const id = ++lastId;
      const moved = new Promise<void>((resolve) => progressed.set(id, resolve));
      const answer = request('tools/call', { name, arguments: args, _meta: { progressToken: id } }, id);
      return { id, answer, progressed: moved };
    },
    async tools() {
      const list = (await request('tools/list', {}, ++lastId)) as unknown as { tools: never[] };
      return list.tools;
    },
    cancel: (id) => send({ method: 'notifications/cancelled', params: { requestId: id } }),
  };
}

/** Returns the size of each half in the message. */
export function halves({ content, structuredContent }: Result): number[] {
  return [
    Buffer.byteLength(JSON.stringify(content[0]!.text)),
    Buffer.byteLength(JSON.stringify(structuredContent)),
  ];
}

/** Reads all pages of a listing by its cursors, at most `most` pages. */
export async function pages(
  served: Served,
  name: string,
  args: Record<string, unknown>,
  most = 1000,
): Promise<Result[]> {
  const all: Result[] = [];
  let cursor: string | undefined;
  do {
    const page = await served.call(name, cursor === undefined ? args : { ...args, cursor });
    if (page.isError === true) throw new Error(page.content[0]!.text);
    all.push(page);
    cursor = page.structuredContent.nextCursor;
  } while (cursor !== undefined && all.length < most);
  return all;
}
