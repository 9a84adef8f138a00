import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { spec } from '../../servers/fetch/src/spec.ts';
import { defaultLimits } from '../../servers/fetch/src/web/options.ts';
import { Site } from '../../servers/fetch/test/site.ts';
import { callsOf, DocumentedServer } from './calls.ts';
import { blocksOf, document, tableUnder } from './documents.ts';
import { expectCall } from './updating.ts';

const reference = document('docs/reference/fetch.md');
const site = new Site();
let server: DocumentedServer;
beforeAll(async () => {
  await site.start();
  for (const { language, info, text } of blocksOf(reference)) {
    const name = /^file=(\S+)$/.exec(info)?.[1];
    const type = language === 'html' ? 'text/html; charset=utf-8' : 'application/json';
    if (name !== undefined) site.page(`/${name}`, text, type, { etag: '"1"' });
  }
  const tools = Object.keys(spec.toolsets).filter((name) => name !== 'browser');
  const args = ['--allow-private', site.host, '--tools', tools.join(','), 'data'];
  server = new DocumentedServer(reference, 'fetch', args, {
    folder: '/home/you/downloads',
    names: { 'localhost:8000': site.host },
    drawn: [
      [/(?<=page content )[\da-f]{12}/g, '…'],
      [/, \d+ s old(?=\))/g, ''],
      [/(?<= since )\d{4}-\S+Z/g, '…'],
    ],
  });
});
afterAll(async () => {
  await server.close();
  await site.close();
});

describe('the calls of the reference of the fetch server', () => {
  test.each(callsOf(reference).map((call) => [call.line, call] as const))('%s', async (line, call) => {
    expectCall(reference.name, call, (await server.call(line)).text);
  });
});

test('the list of its tools is as small as it says', async () => {
  const most = Number(/The whole list takes (\d+) KB/.exec(reference.text)?.[1]) * 1024;
  const listed = await server.tools();
  expect(listed.map(({ name }) => name)).toEqual(spec.tools.filter((name) => name !== 'screenshot'));
  expect(Buffer.byteLength(JSON.stringify({ tools: listed }))).toBeLessThanOrEqual(most);
});

test('the limits of one page are those of its table', () => {
  const limits = new Map(tableUnder(reference, 'Limits').map(([what, limit]) => [what, limit]));
  const { wireBytes, bodyBytes, headerBytes, headerFields, redirects, deadlineMs } = defaultLimits;
  expect(limits.get('the bytes of one page')).toBe(
    `${wireBytes / 1024 ** 2} MiB over the wire, ${bodyBytes / 1024 ** 2} MiB decoded`,
  );
  expect(limits.get('the head of an answer')).toBe(`${headerBytes / 1024} KiB, ${headerFields} fields`);
  expect(limits.get('redirects of one page')).toBe(String(redirects));
  expect(limits.get('one page')).toContain(`${deadlineMs / 1000} s, or \`--fetch-timeout\``);
});
