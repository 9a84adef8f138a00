import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { spec } from '../../servers/sqlite/src/spec.ts';
import { callsOf, DocumentedServer } from './calls.ts';
import { document, tableUnder } from './documents.ts';
import { expectCall } from './updating.ts';

const reference = document('docs/reference/sqlite.md');
let server: DocumentedServer;
beforeAll(() => {
  server = new DocumentedServer(reference, 'sqlite', ['--queries', 'queries.json', 'data'], {
    folder: '/home/you/data',
    drawn: [[/undo-[\w-]{12}/g, 'undo-…']],
  });
});
afterAll(() => server.close());

describe('the calls of the reference of the SQLite server', () => {
  test.each(callsOf(reference).map((call) => [call.line, call] as const))('%s', async (line, call) => {
    expectCall(reference.name, call, (await server.call(line)).text);
  });
});

test('the list of its tools is as small as it says', async () => {
  const most = Number(/the whole list takes (\d+) KB/.exec(reference.text)?.[1]) * 1024;
  const own: readonly string[] = spec.tools;
  const listed = (await server.tools()).filter(({ name }) => own.includes(name));
  expect(listed.map(({ name }) => name)).toEqual(own);
  expect(Buffer.byteLength(JSON.stringify({ tools: listed }))).toBeLessThanOrEqual(most);
});

describe('the values of its table', () => {
  const rows = tableUnder(reference, 'Values').map((cells) => cells.map(spansOf));

  test.each(rows.map(([sql, json, param]) => [sql![0]!, json![0]!, param!] as const))(
    '%s is %s in a result, and comes back',
    async (sql, json, [value, as = '?']) => {
      expect(await rowOf(`SELECT ${sql}`)).toEqual([JSON.parse(json)]);
      expect(await rowOf(`SELECT typeof(${as}), ${as} IS ${sql}`, [value!, value!])).toEqual([
        ...((await rowOf(`SELECT typeof(${sql})`)) as unknown[]),
        1,
      ]);
    },
  );
});

/** The one row that a query gives; the values for its parameters are JSON as it is written. */
async function rowOf(query: string, params: readonly string[] = []): Promise<unknown> {
  const given = params.length === 0 ? '' : `,"params":[${params.join(',')}]`;
  const { structured } = await server.call(`read_query {"query":${JSON.stringify(query)}${given}}`);
  return (structured as { rows: unknown[] }).rows[0]; // the tool's own result
}

function spansOf(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text!);
}
