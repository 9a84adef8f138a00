import { Boundary, type Containment } from '@rootbound/kit/boundary';
import { Scopes, together } from '@rootbound/kit/call';
import type { ServeOptions } from '@rootbound/kit/cli';
import { defined } from '@rootbound/kit/primitives';
import { createServer, type Server, template } from '@rootbound/protocol';
import { catalog } from './catalog.ts';
import { instructionsFor } from './instructions.ts';
import { policyOf } from './policy.ts';
import { promptsFor } from './prompts.ts';
import { LazyResources } from './resources/lazy.ts';
import { type FilesystemExtras, version } from './spec.ts';
import type { Workspace } from './workspace.ts';

/** Items of one page of a list: those of resources take about 300 bytes each. */
const PAGE_SIZE = 250;

/** Long enough for a client to get what it asks first. */
const SWEEP_DELAY_MS = 500;

/** A filesystem server and what has to be closed after it. */
export interface Filesystem {
  server: Server<Workspace>;
  close(): Promise<void>;
}

/** The options of the command line that make a server. */
export type FilesystemOptions = Pick<
  ServeOptions,
  'roots' | 'readOnly' | 'tools' | 'clientRoots' | 'maxOutput'
> & {
  /** the options that only this server has; those left out are off, or have the default that the help names */
  extra?: Partial<FilesystemExtras>;
  /** how handles are verified: the strongest way that this machine has, unless given */
  containment?: Containment;
  /** faults in the background, one line each */
  onError?: (error: unknown) => void;
};

/** The filesystem server for these options; transports serve it. */
export function createFilesystem(options: FilesystemOptions): Filesystem {
  const { maxOutput, readOnly, extra = {}, onError = () => {} } = options;
  const { deny, denied, changes, offers } = policyOf(options, extra);
  const boundary = new Boundary({
    roots: readOnly ? options.roots.map((root) => ({ ...root, readOnly: true })) : options.roots,
    policy: options.clientRoots,
    readOnly,
    deny,
    ...defined({ containment: options.containment }),
  });

  const resourcesChanged = together(() => server.listChanged('resources'));
  const scopes = new Scopes(boundary, () => {
    resourcesChanged();
    resources.lookAgain();
  });
  const resources = new LazyResources({
    missingRoots: () => boundary.missingRoots(),
    lookAtRoots: () => scopes.lookAtRoots(),
    changed: resourcesChanged,
    onError,
  });
  const sweep = sweepLater(boundary, onError);

  const server: Server<Workspace> = createServer<Workspace>({
    name: 'rootbound-filesystem',
    title: 'Rootbound filesystem',
    version,
    description: 'Files below the roots, bounded by verified handles',
    instructions: instructionsFor({ readOnly, offers, trash: changes.trash, denied }),
    pageSize: PAGE_SIZE,
    tools: catalog,
    offers: ({ name, annotations }) => offers(name) && (!readOnly || annotations.readOnlyHint === true),
    resources: [fileTemplate],
    listResources: async (context) => (await resources.load()).list(context),
    prompts: promptsFor(offers),
    watch: async (uri, context, changed) => (await resources.load()).watch(uri, context, changed),
    listChanges: { resources: true },
    scopeAsks: scopes.asks,
    scope: (request) => {
      const owner = request.facts.principal ?? '';
      const scope = scopes.scopeOf(request);
      return scope instanceof Promise
        ? scope.then((settled) => ({ scope: settled, maxOutput, changes, owner }))
        : { scope, maxOutput, changes, owner };
    },
    onError,
  });
  const close = async (): Promise<void> => {
    clearTimeout(sweep);
    resourcesChanged.cancel();
    await resources.close();
  };
  return { server, close };
}

const fileTemplate = template<Workspace>({
  uriTemplate: 'file:///{+path}',
  name: 'file',
  title: 'File or directory',
  description: 'The content of a file below the roots, or the entries of a directory',
  complete: {
    path: async (value, context) =>
      (await import('./resources/completing.ts')).completeUriPath(value, context),
  },
  read: async (uri, context) => (await import('./resources/reading.ts')).readFileUri(uri, context),
});

/** Removes what a killed process left, once the first answers are out. */
function sweepLater(boundary: Boundary, onError: (error: unknown) => void): NodeJS.Timeout {
  const sweep = setTimeout(() => {
    import('./leftovers.ts')
      .then(({ sweepStaging }) => sweepStaging(boundary.operatorScope()))
      .catch(onError);
  }, SWEEP_DELAY_MS);
  return sweep.unref();
}
