import { Boundary, type RootSpec } from '@rootbound/kit/boundary';
import { createServer } from '@rootbound/protocol';
import { serveMemory } from '@rootbound/protocol/testing';
import { catalog } from '../../src/catalog.ts';
import { createFilesystem } from '../../src/server.ts';
import { toolNames } from '../../src/spec.ts';
import type { Workspace } from '../../src/workspace.ts';

/** A client's end of the filesystem server. */
export function serve(options: {
  roots: readonly RootSpec[];
  maxOutput: number;
  principal?: string;
}): ReturnType<typeof serveMemory> {
  const { roots, maxOutput, principal } = options;
  const { server } = createFilesystem({
    roots: [...roots],
    maxOutput,
    readOnly: false,
    tools: [...toolNames],
    clientRoots: 'narrow',
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  });
  return serveMemory(server, principal === undefined ? {} : { principal });
}

/** The same tools where no handle can be verified, as on systems without `/proc`. */
export function serveBestEffort(roots: readonly RootSpec[]): ReturnType<typeof serveMemory> {
  const boundary = new Boundary({ roots, policy: 'narrow', containment: 'best-effort' });
  const scope = boundary.narrowing().scope(undefined);
  const server = createServer<Workspace>({
    name: 'best-effort',
    version: '0',
    tools: catalog,
    scope: () => ({ scope, maxOutput: 102_400, owner: 'best-effort' }),
  });
  return serveMemory(server);
}
