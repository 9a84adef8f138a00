import { Boundary, sweepStaging } from '@rootbound/kit/boundary';
import type { ServeOptions } from '@rootbound/kit/cli';
import { createServer, type Server, template } from '@rootbound/protocol';
import { catalog } from './catalog.ts';
import { prompts } from './prompts.ts';
import { completeUriPath } from './resources/completing.ts';
import { listRoots } from './resources/listing.ts';
import { Watching } from './resources/watching.ts';
import { Scopes } from './scopes.ts';
import { version } from './spec.ts';
import type { Workspace } from './workspace.ts';

const instructions = [
  'Reads, finds and changes files below the roots; list_allowed_directories names them.',
  'Paths may be absolute, relative to a root, or file:// URIs.',
  'Results over the size limit say truncated and give a nextCursor: pass it back as cursor.',
  'Before editing, read the part of the file; edit_file wants exact text.',
  'Every file is also a resource (file:///…) that can be subscribed to.',
].join(' ');

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
  /** faults in the background, one line each */
  onError?: (error: unknown) => void;
};

/** The filesystem server for these options; transports serve it. */
export function createFilesystem(options: FilesystemOptions): Filesystem {
  const { maxOutput, readOnly, onError = () => {} } = options;
  const roots = readOnly ? options.roots.map((root) => ({ ...root, readOnly: true })) : options.roots;
  const boundary = new Boundary({ roots, policy: options.clientRoots, readOnly });
  const scopes = new Scopes(boundary, () => setImmediate(() => server.listChanged('resources')));
  const watching = new Watching(onError);
  const offered = new Set(options.tools);
  // what a killed process left is removed once the first answers are out
  const sweep = setTimeout(() => sweepStaging(boundary.operatorScope()), SWEEP_DELAY_MS);
  sweep.unref();

  const awaited = new Set<string>();
  const lookAtRoots = (): void => scopes.lookAtRoots();
  /** Who has seen the list is told when a root that is missing now appears. */
  const awaitMissingRoots = (): void => {
    const present = new Set(boundary.operatorRoots().map((root) => root.path));
    for (const path of boundary.operatorPaths) {
      if (present.has(path) || awaited.has(path)) continue;
      awaited.add(path);
      // one that has come before the watch was live is seen by looking once more
      watching.watchPath(path, lookAtRoots).then(lookAtRoots, (error: unknown) => {
        awaited.delete(path);
        onError(error);
      });
    }
  };

  const server: Server<Workspace> = createServer<Workspace>({
    name: 'rootbound-filesystem',
    title: 'Rootbound filesystem',
    version,
    description: 'Files below the roots, bounded by verified handles',
    instructions,
    tools: catalog,
    offers: ({ name, annotations }) => offered.has(name) && (!readOnly || annotations.readOnlyHint === true),
    resources: [
      template<Workspace>({
        uriTemplate: 'file:///{+path}',
        name: 'file',
        title: 'File or directory',
        description: 'The content of a file below the roots, or the entries of a directory',
        complete: { path: completeUriPath },
        read: async (uri, context) => (await import('./resources/reading.ts')).readFileUri(uri, context),
      }),
    ],
    listResources(context) {
      awaitMissingRoots();
      return listRoots(context);
    },
    prompts,
    watch: (uri, context, changed) => watching.watch(uri, context, changed),
    listChanges: { resources: true },
    scopeAsks: scopes.asks,
    scope: (request) => {
      const owner = request.facts.principal ?? '';
      const scope = scopes.scopeOf(request);
      return scope instanceof Promise
        ? scope.then((settled) => ({ scope: settled, maxOutput, owner }))
        : { scope, maxOutput, owner };
    },
    onError,
  });
  const close = async (): Promise<void> => {
    clearTimeout(sweep);
    await watching.close();
  };
  return { server, close };
}
