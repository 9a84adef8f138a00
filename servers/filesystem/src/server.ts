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

/** Items on one page of a list; a resource takes about 300 bytes. */
const PAGE_SIZE = 250;

/** The delay before leftover files are removed, so that the client's first requests come first. */
const SWEEP_DELAY_MS = 500;

/** A filesystem server, and the function that closes its watches. */
export interface Filesystem {
  server: Server<Workspace>;
  close(): Promise<void>;
}

/** The command line options from which a server is created. */
export type FilesystemOptions = Pick<
  ServeOptions,
  'roots' | 'readOnly' | 'tools' | 'clientRoots' | 'maxOutput'
> & {
  /** the options of this server alone; the default of each is in the help */
  extra?: Partial<FilesystemExtras>;
  /** how handles are verified; default: the strongest way of this machine */
  containment?: Containment;
  /** receives errors of background work */
  onError?: (error: unknown) => void;
};

/** Creates the filesystem server for these options. */
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

/** Schedules the removal of temporary files that a killed process left. */
function sweepLater(boundary: Boundary, onError: (error: unknown) => void): NodeJS.Timeout {
  const sweep = setTimeout(() => {
    import('./leftovers.ts')
      .then(({ sweepStaging }) => sweepStaging(boundary.operatorScope()))
      .catch(onError);
  }, SWEEP_DELAY_MS);
  return sweep.unref();
}
