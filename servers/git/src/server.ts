import { Boundary, type Containment, type Scope } from '@rootbound/kit/boundary';
import { Scopes, together } from '@rootbound/kit/call';
import { deniedBy, type ServeOptions } from '@rootbound/kit/cli';
import { defined } from '@rootbound/kit/primitives';
import { createServer, type Server } from '@rootbound/protocol';
import type { Network } from './call/network.ts';
import { isProtocol, usualProtocols } from './call/protocols.ts';
import type { Repositories } from './call/repositories.ts';
import type { Workspace } from './call/workspace.ts';
import { catalog } from './catalog.ts';
import { instructionsFor } from './instructions.ts';
import { promptsFor } from './mcp/prompts/prompts.ts';
import { resources } from './mcp/resources/resources.ts';
import { TrustLists } from './mcp/trust/lists.ts';
import { LazyWatching } from './mcp/watching/lazy.ts';
import { scopeOfGit } from './repository/files.ts';
import { formerNames, type GitExtras, toolsets, version } from './spec.ts';

/** Items of one page of a list: those of resources take about 300 bytes each. */
const PAGE_SIZE = 250;

/** A git server and the function that closes it. */
export interface GitServer {
  server: Server<Workspace>;
  close(): Promise<void>;
}

/** The options of the command line that make a server. */
export type GitOptions = Pick<ServeOptions, 'roots' | 'readOnly' | 'tools' | 'clientRoots' | 'maxOutput'> & {
  /** the options that only this server has; those left out are off */
  extra?: Partial<GitExtras>;
  /** the verification of handles: by default the strongest that this machine has */
  containment?: Containment;
  /** limits of transfers, instead of those of each verb */
  transferLimits?: Network['limits'];
  /** receives faults in the background */
  onError?: (error: unknown) => void;
};

/** Creates the git server for these options; transports serve it. */
export function createGitServer(options: GitOptions): GitServer {
  const { maxOutput, readOnly, extra = {}, onError = () => {} } = options;
  const boundary = new Boundary({
    roots: readOnly ? options.roots.map((root) => ({ ...root, readOnly: true })) : options.roots,
    policy: options.clientRoots,
    readOnly,
    deny: deniedBy(extra).globs,
    ...defined({ containment: options.containment }),
  });
  let repositories: Repositories | undefined;
  let loading: Promise<Repositories> | undefined;
  /** loads everything about git with the first call */
  const load = (): Promise<Repositories> => {
    loading ??= import('./call/repositories.ts').then((loaded) => {
      repositories = new loaded.Repositories({
        roots: options.roots.map(({ path }) => path),
        trusted: extra.trust ?? [],
        commonDirs: extra['allow-common-dir'] ?? [],
        onTrust: () => lists.look(),
      });
      return repositories;
    });
    return loading;
  };
  const allowed = extra['allow-protocol'] ?? [];
  const network: Network = {
    protocols: new Set(allowed.length > 0 ? allowed.filter(isProtocol) : usualProtocols),
    limits: options.transferLimits,
  };
  const resourcesChanged = together(() => server.listChanged('resources'));
  const watching = new LazyWatching({ listChanged: resourcesChanged, onError });
  const scopes = new Scopes(boundary, () => {
    resourcesChanged();
    watching.lookAgain();
  });
  const offered = new Set(options.tools);
  const offers = (tool: string): boolean => offered.has(formerNames[tool] ?? tool);
  const reading: readonly string[] = toolsets.read;
  const offersNow = (tool: string): boolean => offers(tool) && (!readOnly || reading.includes(tool));
  const trusts = offersNow('git_trust');
  const lists = new TrustLists(
    () => repositories!,
    (list) => trusts && server.listChanged(list),
  );
  const server: Server<Workspace> = createServer<Workspace>({
    name: 'rootbound-git',
    title: 'Rootbound git',
    version,
    description: 'Git repositories below the roots; what their configuration would execute is off',
    instructions: instructionsFor({ readOnly, offers }),
    tools: catalog,
    offers: ({ name, annotations }) => offers(name) && (!readOnly || annotations.readOnlyHint === true),
    isListed: lists.isListed,
    prompts: promptsFor(offersNow),
    pageSize: PAGE_SIZE,
    resources,
    listResources: async (context) => {
      await (await watching.load()).follow(context.scope);
      return (await import('./mcp/resources/listing.ts')).listResources(context);
    },
    watch: async (uri, { scope }, changed) => (await watching.load()).watch(uri, scope, changed),
    listChanges: { tools: trusts, prompts: trusts, resources: true },
    scopeAsks: scopes.asks,
    scope: (request) => {
      const owner = request.facts.principal ?? '';
      const scope = scopes.scopeOf(request);
      const workspace = (settled: Scope, known: Repositories): Workspace => ({
        scope: scopeOfGit(settled),
        maxOutput,
        repositories: known.of(owner),
        network,
        owner,
      });
      if (!(scope instanceof Promise) && repositories !== undefined) return workspace(scope, repositories);
      return Promise.all([scope, load()]).then(([settled, loaded]) => workspace(settled, loaded));
    },
    onError,
  });
  const close = async (): Promise<void> => {
    resourcesChanged.cancel();
    await watching.close();
    await (await loading)?.close();
  };
  return { server, close };
}
