import { expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import { allRevisions, type Revision } from '../../src/protocol/revisions.ts';
import * as schemas from '../../src/protocol/schemas/index.ts';
import type * as t from '../../src/protocol/types.ts';

type Out<S> = z.output<NonNullable<S>>;

const revisions: readonly Revision[] = allRevisions;
const latest = '2026-07-28';

test('the result of a schema has the type of the interface', () => {
  const tools = schemas.result(latest, 'tools/list');
  const call = schemas.params(latest, 'tools/call');
  const called = schemas.result(latest, 'tools/call');
  const ask = schemas.questionParams(latest, 'elicitation/create');
  expectTypeOf<Out<typeof tools>>().toEqualTypeOf<t.ListToolsResult>();
  expectTypeOf<Out<typeof call>>().toEqualTypeOf<t.CallToolRequestParams>();
  expectTypeOf<Out<typeof called>>().toEqualTypeOf<t.CallToolResult | t.InputRequiredResult>();
  expectTypeOf<Out<typeof ask>>().toEqualTypeOf<t.ElicitRequestParams>();
  const sample = schemas.params('2025-11-25', 'sampling/createMessage');
  const task = schemas.result('2025-11-25', 'tasks/get');
  const progress = schemas.notification(latest, 'notifications/progress');
  expectTypeOf<Out<typeof sample>>().toEqualTypeOf<t.CreateMessageRequestParams>();
  expectTypeOf<Out<typeof task>>().toEqualTypeOf<t.GetTaskResult>();
  expectTypeOf<Out<typeof progress>>().toEqualTypeOf<t.ProgressNotificationParams>();
  expect([tools, call, called, ask, sample, task, progress]).not.toContain(undefined);
});

test.each(revisions)('%s builds a schema once', (revision) => {
  expect(schemas.result(revision, 'tools/list')).toBe(schemas.result(revision, 'tools/list'));
  expect(schemas.params(revision, 'tools/list')).toBe(schemas.params(revision, 'tools/list'));
});

test('an unknown method has no schema, even if objects have a member of that name', () => {
  for (const method of ['nope', 'constructor', '__proto__']) {
    const found = [
      schemas.params,
      schemas.result,
      schemas.notification,
      schemas.questionParams,
      schemas.answer,
    ];
    expect(found.map((lookup) => lookup(latest, method))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  }
});

test('a member of a later revision is kept if it is valid and dropped if it is not', () => {
  const result = schemas.result('2024-11-05', 'tools/list')!;
  const tool = { name: 'a', inputSchema: { type: 'object' } };
  expect(result.parse({ tools: [{ ...tool, title: 'A' }] })).toEqual({ tools: [{ ...tool, title: 'A' }] });
  expect(result.parse({ tools: [{ ...tool, title: 5 }] })).toEqual({ tools: [tool] });
});

test('a member that is undefined counts as absent', () => {
  const parsed = schemas.result('2025-06-18', 'tools/call')!.safeParse({ content: [], isError: undefined });
  expect(parsed.success).toBe(true);
});

test('arguments and structured content are passed on, not copied', () => {
  const data = JSON.parse('{"b":1,"__proto__":{"a":1}}') as Record<string, unknown>;
  const params = schemas.params('2025-06-18', 'tools/call')!.parse({ name: 'a', arguments: data });
  expect(params.arguments).toBe(data);
  const result = schemas.result('2025-06-18', 'tools/call')!.parse({ content: [], structuredContent: data });
  expect((result as t.CallToolResult).structuredContent).toBe(data);
});

test('a failure inside one form of a union names the member and only that form', () => {
  const parsed = schemas.result(latest, 'tools/call')!.safeParse({
    resultType: 'complete',
    content: [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'YQ==' },
    ],
  });
  const issues = parsed.error?.issues.map(({ path }) => path.join('.'));
  expect(issues).toEqual(['content.1.mimeType']);
});

test('an unknown type of content is refused with the known types', () => {
  const audio = { content: [{ type: 'audio', data: 'YQ==', mimeType: 'audio/wav' }] };
  const parsed = schemas.result('2024-11-05', 'tools/call')!.safeParse(audio);
  expect(parsed.error?.issues).toMatchObject([
    { path: ['content', 0], message: 'type must be one of text, image, resource' },
  ]);
});

test('input requests are distinguished from a complete result by resultType only', () => {
  const schema = schemas.result(latest, 'tools/call')!;
  expect(schema.safeParse({ resultType: 'complete', requestState: 's' }).success).toBe(false);
  expect(schema.safeParse({ resultType: 'input_required', requestState: 's' }).success).toBe(true);
  expect(schema.safeParse({ content: [] }).success).toBe(true);
});

test('only 2025-11-25 has task requests, and only for the requests that can be augmented', () => {
  const having = revisions.filter((revision) => schemas.taskResult(revision, 'tools/call') !== undefined);
  expect(having).toEqual(['2025-11-25']);
  expect(schemas.taskResult('2025-11-25', 'tools/list')).toBe(undefined);
});

test('error data has a schema only for the codes of its revision', () => {
  const forms = revisions.map((revision) =>
    [-32042, -32021, -32022].map((code) => schemas.errorData(revision, code) !== undefined),
  );
  expect(forms).toEqual([
    [false, false, false],
    [false, false, false],
    [false, false, false],
    [true, false, false],
    [false, true, true],
  ]);
});
