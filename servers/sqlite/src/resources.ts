import { type Complete, type TemplateDefinition, template } from '@rootbound/protocol';
import type { Workspace } from './workspace.ts';

type Completing = typeof import('./resources/completing.ts');

/** Code that only a picked resource needs is loaded then. */
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
    description: 'What a database is, with links to its schema and tables',
    mimeType: json,
    complete: { database },
  },
  {
    uriTemplate: `${inDatabase}?schema`,
    name: 'schema',
    title: 'Schema',
    description: 'The tables and views of a database, and the statements that make them',
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
    description: 'The first rows of a table or view, with a link to the next ones',
    mimeType: json,
    complete: { database, table },
  },
  {
    uriTemplate: `${inDatabase}?table={table}&rows={cursor}`,
    name: 'rows page',
    title: 'Further rows',
    description: 'Rows from where the page before it ended',
    mimeType: json,
    complete: { database, table },
  },
  {
    uriTemplate: `${inDatabase}?table={table}&key={key}`,
    name: 'row',
    title: 'Row',
    description:
      'One row by its rowid or primary key, the values of several columns with commas between them',
    mimeType: json,
    complete: { database, table, key: completing(({ completeKeyText }) => completeKeyText) },
  },
  {
    uriTemplate: 'sqlite:result/{handle}',
    name: 'result',
    title: 'Result',
    description: 'The whole result of a query, as long as it is kept',
  },
];

/** What can be read by URI. The template matched tells nothing: a URI is read as what it is. */
export const resources: readonly TemplateDefinition<Workspace>[] = families.map((family) =>
  template<Workspace>({
    ...family,
    read: async (uri, context) => (await import('./resources/reading.ts')).readSqliteUri(uri, context),
  }),
);
