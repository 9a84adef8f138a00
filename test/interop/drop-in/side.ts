import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cli } from '../servers.ts';
import { Place } from './case-folders.ts';

/** A tool's result from the official client. */
export interface Result {
  content: {
    type: string;
    text?: string;
    data?: string;
    mimeType?: string;
    resource?: { mimeType?: string; blob?: string; text?: string };
  }[];
  isError?: boolean;
}

interface OfficialClient {
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{ tools: { name: string; inputSchema: { properties?: object } }[] }>;
  callTool(params: object): Promise<Result>;
}

/** One of the two servers with its own copy of the files, used through the official client. */
export interface Side {
  place: Place;
  client: OfficialClient;
  close(): Promise<void>;
}

const require = createRequire(import.meta.url);
// a dependency of the benchmarks
const bench = join(import.meta.dirname, '..', '..', 'bench', 'package.json');

/** A server's program for Node. */
export type Program = () => string;

/** Returns the program of the official server from its package. */
export function official(): string {
  const manifest = createRequire(bench).resolve('@modelcontextprotocol/server-filesystem/package.json');
  const { bin } = require(manifest) as { bin: Record<string, string> };
  return join(dirname(manifest), bin['mcp-server-filesystem']!);
}

/** Returns the program of this repository's server. */
export const ours = (): string => cli;

/** Starts a server with these arguments and connects the official client. */
export async function launch(
  program: Program,
  args: readonly string[],
  { home, cwd = home }: { home: string; cwd?: string },
): Promise<OfficialClient> {
  const [{ Client }, { StdioClientTransport }] = await Promise.all([
    import('sdk-2025-11-25/client/index.js') as Promise<{ Client: new (info: object) => OfficialClient }>,
    import('sdk-2025-11-25/client/stdio.js') as Promise<{
      StdioClientTransport: new (parameters: object) => object;
    }>,
  ]);
  const client = new Client({ name: 'drop-in', version: '1.0.0' });
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  const command = { command: process.execPath, args: [program(), ...args], stderr: 'pipe', env, cwd };
  await client.connect(new StdioClientTransport(command));
  return client;
}

/** Starts a server on its own folders; the root is also the home, so that paths with a tilde are inside. */
export async function startSide(program: Program): Promise<Side> {
  const place = new Place();
  const client = await launch(program, [place.root], { home: place.root });
  return {
    place,
    client,
    async close() {
      await client.close();
      place.remove();
    },
  };
}
