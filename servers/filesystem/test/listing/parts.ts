import { Boundary, type RootSpec } from '@rootbound/kit/boundary';
import { createServer } from '@rootbound/protocol';
import { serveMemory } from '@rootbound/protocol/testing';
import { catalog } from '../../src/catalog.ts';
import { createFilesystem, type FilesystemOptions } from '../../src/server.ts';
import { toolNames } from '../../src/spec.ts';
import type { Workspace } from '../../src/workspace.ts';

const open: ReturnType<typeof createFilesystem>[] = [];

/** Ends the background work of a test's servers. */
export async function closeAll(): Promise<void> {
  for (const filesystem of open.splice(0)) await filesystem.close();
}

/** A client connected to the filesystem server. */
export function serve(
  options: Partial<Omit<FilesystemOptions, 'roots'>> & {
    roots: readonly RootSpec[];
    maxOutput: number;
    principal?: string;
  },
): ReturnType<typeof serveMemory> {
  const { roots, principal, ...others } = options;
  const filesystem = createFilesystem({
    roots: [...roots],
    readOnly: false,
    tools: [...toolNames],
    clientRoots: 'narrow',
    onError: (error) => process.stderr.write(`${String(error)}\n`),
    ...others,
  });
  open.push(filesystem);
  return serveMemory(filesystem.server, principal === undefined ? {} : { principal });
}

/** Connects a client to a server with best-effort containment, as on systems without `/proc`. */
export function serveBestEffort(
  roots: readonly RootSpec[],
  deny: readonly string[],
): ReturnType<typeof serveMemory> {
  const boundary = new Boundary({ roots, policy: 'narrow', containment: 'best-effort', deny });
  const scope = boundary.narrowing().scope(undefined);
  const changes = {
    fsync: false,
    hardLinks: 'break',
    trash: false,
    deletes: false,
    confirm: 'never',
  } as const;
  const server = createServer<Workspace>({
    name: 'best-effort',
    version: '0',
    tools: catalog,
    scope: () => ({ scope, maxOutput: 102_400, changes, owner: 'best-effort' }),
  });
  return serveMemory(server);
}
