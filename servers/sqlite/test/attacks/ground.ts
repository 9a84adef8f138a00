import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { expect } from 'vitest';
import { call } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';

/** A folder that is a root, and one beside it whose files must not change. */
export interface Ground {
  readonly inside: string;
  readonly outside: string;
  readonly secret: string;
  readonly shop: string;
  readonly scratch: Scratch;
  /** Every file in both folders with its content. */
  seen(): Record<string, string>;
}

export function ground(): Ground {
  const own = scratch();
  const secret = own.database(
    'outside/secret.db',
    "CREATE TABLE secret (word); INSERT INTO secret VALUES ('hidden-word')",
  );
  own.write('outside/notes.txt', 'notes');
  const shop = own.database(
    'inside/shop.db',
    `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
     INSERT INTO item (name) VALUES ('a'), ('b'), ('c');
     CREATE VIRTUAL TABLE old USING fts4(body);
     INSERT INTO old VALUES ('one'); INSERT INTO old VALUES ('two');
     CREATE VIRTUAL TABLE note USING fts5(body)`,
  );
  const [inside, outside] = [join(own.folder, 'inside'), join(own.folder, 'outside')];
  return {
    inside,
    outside,
    secret,
    shop,
    scratch: own,
    seen: () => ({ ...listed(inside), ...listed(outside) }),
  };
}

function listed(folder: string): Record<string, string> {
  const entries = readdirSync(folder).map((name): [string, string] => [
    join(folder, name),
    contentOf(join(folder, name)),
  ]);
  return Object.fromEntries(entries);
}

function contentOf(file: string): string {
  const stat = lstatSync(file);
  if (stat.isSymbolicLink()) return `link to ${readlinkSync(file)}`;
  if (stat.isDirectory()) return `folder of ${readdirSync(file).join()}`;
  if (!stat.isFile()) return 'no file';
  if (stat.size > 2 ** 26) return `${stat.size} bytes`;
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Asserts that the server works. */
export async function answers(client: Client, database: string): Promise<void> {
  const { failed, facts } = await call<{ rows: unknown[] }>(client, 'read_query', {
    query: 'SELECT 40 + 2',
    database,
  });
  expect([failed, facts?.rows]).toEqual([false, [[42]]]);
}
