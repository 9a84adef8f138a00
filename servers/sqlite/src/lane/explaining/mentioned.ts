import { type Token, tokensOf } from '../../shared/sql/lexer.ts';
import { foldName, nameOf } from '../../shared/sql/names.ts';
import { type Connection, selectRows } from '../connection.ts';
import { objectsOf, type SchemaObject } from '../schema/objects.ts';

/** The tables and views that a statement names, and those that its views use. */
export interface Mentioned {
  readonly objects: readonly SchemaObject[];
  /** the object for each name that a plan may contain, its own or an alias, folded */
  readonly byAlias: ReadonlyMap<string, SchemaObject>;
  /** all names in the statement and its views, folded, including columns */
  readonly words: ReadonlySet<string>;
}

const MOST_VIEWS = 50;
/** Keywords that may follow a table name and are not an alias. */
const keywords = new Set(
  'where on using join left right full inner cross natural outer order group limit set values select union except intersect having window indexed not returning default as'.split(
    ' ',
  ),
);

/**
 * Finds the tables and views that a statement names. If two tables have the same alias in different parts, the last one
 * wins.
 */
export function mentionedIn(connection: Connection, sql: string): Mentioned {
  const all = new Map(objectsOf(connection).map((object) => [foldName(object.name), object]));
  const objects = new Map<string, SchemaObject>();
  const byAlias = new Map<string, SchemaObject>();
  const words = new Set<string>();
  const texts = [sql];
  for (let at = 0; at < texts.length && at <= MOST_VIEWS; at++) {
    const text = texts[at]!;
    const tokens = tokensOf(text);
    for (const [place, token] of tokens.entries()) {
      const name = nameOf(text, token);
      if (name === undefined) continue;
      const folded = foldName(name);
      words.add(folded);
      const object = all.get(folded);
      if (object === undefined) continue;
      byAlias.set(aliasAt(text, tokens, place), object);
      if (!byAlias.has(folded)) byAlias.set(folded, object);
      if (objects.has(folded)) continue;
      objects.set(folded, object);
      if (object.type === 'view') texts.push(sqlOf(connection, object.name));
    }
  }
  return { objects: [...objects.values()], byAlias, words };
}

/** Returns the alias of the table at this token, or its own name, folded. */
function aliasAt(text: string, tokens: readonly Token[], place: number): string {
  const own = foldName(nameOf(text, tokens[place])!);
  const next = nameOf(text, tokens[place + 1]);
  if (next === undefined) return own;
  const isAs = foldName(next) === 'as';
  const alias = isAs ? nameOf(text, tokens[place + 2]) : next;
  if (alias === undefined || (!isAs && keywords.has(foldName(alias)))) return own;
  return foldName(alias);
}

function sqlOf(connection: Connection, view: string): string {
  const [row] = selectRows<{ sql: string }>(
    connection,
    'SELECT sql FROM main.sqlite_schema WHERE name = ?',
    view,
  );
  return row?.sql ?? '';
}
