import { type Complete, type TemplateDefinition, template } from '@rootbound/protocol';
import type { Workspace } from './workspace.ts';

type Completing = typeof import('./resources/completing.ts');

/** The code of completion is loaded when it is used. */
const completing = (pick: (loaded: Completing) => Complete<Workspace>): Complete<Workspace> => {
  return async (...typed) => pick(await import('./resources/completing.ts'))(...typed);
};
const database = completing(({ completeDatabasePath }) => completeDatabasePath);
const table = completing(({ completeTableName }) => completeTableName);

type Family = Omit<TemplateDefinition<Workspace>, 'kind' | 'uriTemplate' | 'read'> & {
  readonly uriTemplate: string;
};

const json = 'application/json';
const inDatabase = 'sqlite:///{+database}';

const families: readonly Family[] = [
  {
    uriTemplate: inDatabase,
    name: 'database',
    title: 'Database',
    description: 'A database, with links to its schema and tables',
    mimeType: json,
    complete: { database },
  },
  {
    uriTemplate: `${inDatabase}?schema`,
    name: 'schema',
    title: 'Schema',
    description: 'The tables and views of a database, and their SQL',
    mimeType: json,
    complete: { database },
  },
  {
    uriTemplate: `${inDatabase}?table={table}`,
    name: 'table',
    title: 'Table',
    description: 'Columns, keys, indexes and triggers of a table or view',
    mimeType: json,
    complete: { database, table },
  },
  {
    uriTemplate: `${inDatabase}?table={table}&rows`,
    name: 'rows',
    title: 'Rows',
    description: 'The first rows of a table or view, with a link to the next page',
    mimeType: json,
    complete: { database, table },
  },
  {
    uriTemplate: `${inDatabase}?table={table}&rows={cursor}`,
    name: 'rows page',
    title: 'Further rows',
    description: 'The next page of rows',
    mimeType: json,
    complete: { database, table },
  },
  {
    uriTemplate: `${inDatabase}?table={table}&key={key}`,
    name: 'row',
    title: 'Row',
    description: 'One row by its rowid or primary key; values of several key columns are separated by commas',
    mimeType: json,
    complete: { database, table, key: completing(({ completeKeyText }) => completeKeyText) },
  },
  {
    uriTemplate: 'sqlite:result/{handle}',
    name: 'result',
    title: 'Result',
    description: 'The whole result of a query, while it is stored',
  },
];

/** The resource templates. They share one reader, which parses the URI itself. */
export const resources: readonly TemplateDefinition<Workspace>[] = families.map((family) =>
  template<Workspace>({
    ...family,
    read: async (uri, context) => (await import('./resources/reading.ts')).readSqliteUri(uri, context),
  }),
);
