import { DENY_OPTIONS, type Extras, type OptionRow, type ServerSpec } from '@rootbound/kit/cli';
import manifest from '../package.json' with { type: 'json' };

/** The version of the package. */
export const { version } = manifest;

/** The tools by set in listing order; a test compares it with the catalog. */
export const toolsets = {
  read: [
    'list_databases',
    'list_tables',
    'describe_table',
    'read_query',
    'explain_query',
    'search_text',
    'draw_chart',
  ],
  write: [
    'write_query',
    'run_script',
    'import_data',
    'export_data',
    'backup_database',
    'restore_database',
    'append_insight',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Names of tools that can be called and are not listed, with the tool that must be offered. */
export const formerNames: Readonly<Record<string, string>> = { create_table: 'write_query' };

const options = [
  {
    name: 'db-path',
    kind: 'root',
    value: '<file>',
    help: 'a database that the client may use; like a root, and created if missing',
  },
  {
    name: 'query-timeout',
    kind: 'number',
    value: '<seconds>',
    example: '30',
    min: 1,
    max: 3600,
    help: 'default time limit of a call; default 30',
  },
  {
    name: 'queries',
    kind: 'path',
    value: '<file>',
    help: 'a JSON file of queries that become tools; read again when it changes',
  },
  ...DENY_OPTIONS,
] as const satisfies readonly OptionRow[];

/** The values of this server's own options. */
export type SqliteExtras = Extras<typeof options>;

const tools = Object.values(toolsets).flat();

export const spec = {
  name: 'sqlite',
  package: '@rootbound/server-sqlite',
  version,
  summary: 'Serves SQLite databases below the given roots over the Model Context Protocol.',
  tools,
  toolsets,
  rootKinds: 'directories-and-files',
  options,
  opener: 'SQLite',
  temporary: 'results and undo points',
  checks: async () => (await import('./machine.ts')).checkMachine(),
} as const satisfies ServerSpec<typeof options>;
