import { Boundary, type Containment } from '@rootbound/kit/boundary';
import { Scopes } from '@rootbound/kit/call';
import type { ServeOptions } from '@rootbound/kit/cli';
import { createServer, type Server } from '@rootbound/protocol';
import { catalog } from './catalog.ts';
import { instructionsFor } from './instructions.ts';
import { Repositories } from './repositories.ts';
import { formerNames, type GitExtras, version } from './spec.ts';
import type { Workspace } from './workspace.ts';

/** A git server and what has to be closed after it. */
export interface GitServer {
  server: Server<Workspace>;
  close(): Promise<void>;
}

/** The options of the command line that make a server. */
export type GitOptions = Pick<ServeOptions, 'roots' | 'readOnly' | 'tools' | 'clientRoots' | 'maxOutput'> & {
  /** the options that only this server has; those left out are off */
  extra?: Partial<GitExtras>;
  /** how handles are verified: the strongest way that this machine has, unless given */
  containment?: Containment;
  /** faults in the background, one line each */
  onError?: (error: unknown) => void;
};

/** The git server for these options; transports serve it. */
export function createGitServer(options: GitOptions): GitServer {
  const { maxOutput, readOnly, extra = {}, onError = () => {} } = options;
  const boundary = new Boundary({
    roots: readOnly ? options.roots.map((root) => ({ ...root, readOnly: true })) : options.roots,
    policy: options.clientRoots,
    readOnly,
    ...(options.containment !== undefined && { containment: options.containment }),
  });
  const repositories = new Repositories({
    roots: options.roots.map(({ path }) => path),
    trusted: extra.trust ?? [],
    commonDirs: extra['allow-common-dir'] ?? [],
  });
  const scopes = new Scopes(boundary, () => {});
  const offered = new Set(options.tools);
  const offers = (tool: string): boolean => offered.has(formerNames[tool] ?? tool);
  const server: Server<Workspace> = createServer<Workspace>({
    name: 'rootbound-git',
    title: 'Rootbound git',
    version,
    description: 'Git repositories below the roots; what their configuration would execute is off',
    instructions: instructionsFor({ readOnly, offers }),
    tools: catalog,
    offers: ({ name, annotations }) => offers(name) && (!readOnly || annotations.readOnlyHint === true),
    scopeAsks: scopes.asks,
    scope: (request) => {
      const owner = request.facts.principal ?? '';
      const scope = scopes.scopeOf(request);
      return scope instanceof Promise
        ? scope.then((settled) => ({ scope: settled, maxOutput, repositories, owner }))
        : { scope, maxOutput, repositories, owner };
    },
    onError,
  });
  return { server, close: () => repositories.close() };
}
