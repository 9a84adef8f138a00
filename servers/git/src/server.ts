import { type DefinedServer, type DefineOptions, defineServer } from '@rootbound/kit/serve';
import type { Network } from './call/network.ts';
import { isProtocol, usualProtocols } from './call/protocols.ts';
import type { Workspace } from './call/workspace.ts';
import { catalog } from './catalog.ts';
import { instructionsFor } from './instructions.ts';
import { promptsFor } from './mcp/prompts/prompts.ts';
import { resources } from './mcp/resources/resources.ts';
import { TrustLists } from './mcp/trust/lists.ts';
import { scopeOfGit } from './repository/files.ts';
import { formerNames, type GitExtras, spec, toolsets, version } from './spec.ts';

const isTool = (name: string): boolean => spec.tools.some((tool) => tool === name);
const reading: ReadonlySet<string> = new Set([...toolsets.read, ...toolsets.browse]);

/** The options of the command line that make a server, and those of tests. */
export interface GitOptions extends DefineOptions<GitExtras> {
  /** limits of transfers, instead of those of each verb */
  transferLimits?: Network['limits'];
}

/** Creates the git server for these options. */
export function createGitServer(options: GitOptions): DefinedServer<Workspace> {
  const { readOnly, extra = {}, transferLimits: limits } = options;
  const allowed = extra['allow-protocol'] ?? [];
  const network = {
    protocols: new Set(allowed.length > 0 ? allowed.filter(isProtocol) : usualProtocols),
    limits,
  };
  return defineServer<Workspace>({ ...options, formerNames }, (parts) => {
    const { offers, resourcesChanged: listChanged, onError } = parts;
    const offersNow = (tool: string): boolean => offers(tool) && (!readOnly || reading.has(tool));
    const trusts = offersNow('git_trust');
    const flagFor = (tool: string): string | undefined =>
      offersNow(tool) || !isTool(tool)
        ? undefined
        : offers(tool)
          ? 'without --read-only'
          : `with --tools default,${tool}`;
    const repositories = parts.lazily(async () => {
      const { Repositories } = await import('./call/repositories.ts');
      const loaded = new Repositories({
        roots: options.roots.map(({ path }) => path),
        trusted: extra.trust ?? [],
        commonDirs: extra['allow-common-dir'] ?? [],
        onTrust: () => lists.look(loaded.standing),
      });
      return loaded;
    });
    const lists = new TrustLists((list) => trusts && parts.listChanged(list));
    const watching = parts.lazily(
      async () => new (await import('./mcp/watching/watching.ts')).Watching({ listChanged, onError }),
    );
    return {
      name: 'rootbound-git',
      title: 'Rootbound git',
      version,
      description: 'Git repositories below the roots; what their configuration would execute is off',
      instructions: instructionsFor({ readOnly, offers }),
      tools: catalog,
      isListed: lists.isListed,
      prompts: promptsFor(offersNow),
      resources,
      listResources: async (context) => {
        await (await watching.load()).follow(context.scope);
        return (await import('./mcp/resources/listing.ts')).listResources(context);
      },
      watch: async (uri, { scope }, changed) => (await watching.load()).watch(uri, scope, changed),
      listChanges: { tools: trusts, prompts: trusts },
      watching,
      engine: repositories,
      workspace: ({ scope, owner, maxOutput }) =>
        repositories.use((loaded) => ({
          scope: scopeOfGit(scope),
          maxOutput,
          repositories: loaded.of(owner),
          network,
          owner,
          flagFor,
        })),
    };
  });
}
