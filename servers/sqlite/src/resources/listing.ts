import { basename } from 'node:path';
import { showName } from '@rootbound/kit/boundary';
import { type CallContext, type Resource, ToolError } from '@rootbound/protocol';
import { findDatabases } from '../databases/find.ts';
import { resolveDatabase } from '../databases/resolve.ts';
import type { Workspace } from '../workspace.ts';
import { toResultUri, toSqliteUri } from './uri.ts';

const mimeType = 'application/json';
const MOST_DATABASES = 200;
/** Most databases whose tables are listed, which starts a process for each. */
const MOST_OPENED = 20;
const MOST_TABLES = 100;
const OPEN_MS = 2_000;

/** Lists the databases in the roots with their schemas, the tables of the first ones, and the owner's results. */
export async function listResources({ scope, signal }: CallContext<Workspace>): Promise<readonly Resource[]> {
  const paths: string[] = [];
  for (const seen of findDatabases(scope.scope, { entries: 20_000 })) {
    if ('database' in seen) paths.push(seen.database.path);
    if (paths.length === MOST_DATABASES) break;
  }
  const own: Resource[] = [];
  for (const [at, path] of paths.entries()) {
    own.push(...describe(path));
    if (at < MOST_OPENED) own.push(...(await tablesOf(scope, path, signal)));
  }
  return [...own, ...resultsOf(scope)];
}

function describe(path: string): Resource[] {
  const name = displayName(path);
  return [
    {
      uri: toSqliteUri(path),
      name,
      description: 'a database',
      mimeType,
      annotations: { audience: ['user', 'assistant'], priority: 0.8 },
    },
    { uri: toSqliteUri(path, { kind: 'schema' }), name: `${name} schema`, mimeType },
  ];
}

async function tablesOf(
  { scope, engine }: Workspace,
  path: string,
  signal: AbortSignal,
): Promise<Resource[]> {
  try {
    const database = resolveDatabase(scope, path);
    const options = { signal, deadlineMs: OPEN_MS };
    const { facts } = await engine.lanes.run(database, 'read', 'keys', { of: 'tables' }, options);
    return facts.slice(0, MOST_TABLES).map(([table = '']) => ({
      uri: toSqliteUri(path, { kind: 'table', table }),
      name: `${displayName(path)} ${showName(table)}`,
      title: `table ${showName(table)} of ${displayName(path)}`,
      mimeType,
    }));
  } catch (error) {
    // an unreadable database has no tables to list
    if (error instanceof ToolError && error.code !== 'cancelled') return [];
    throw error;
  }
}

function resultsOf({ engine, owner }: Workspace): Resource[] {
  return engine.results.list(owner).map(({ handle, resource }) => ({
    uri: toResultUri(handle),
    name: resource.name,
    description: 'the result of a query',
    mimeType: resource.mimeType,
    size: resource.size,
  }));
}

function displayName(path: string): string {
  return showName(basename(path) || path);
}
