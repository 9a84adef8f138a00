import {
  AnswerError,
  CapabilityError,
  ConnectionError,
  displayName,
  toolHints,
} from '@rootbound/protocol/client';
import { expect, vi } from 'vitest';
import { all, between, stateless } from '../revisions.ts';
import { over } from './world.ts';

const text = (value: string) => ({ type: 'text', text: value });
const inputSchema = { type: 'object' };

over(
  all,
  'tools are called by name with an object of arguments, if the server has tools',
  async ({ script, proves }) => {
    const server = script({
      capabilities: { tools: {} },
      answers: { 'tools/call': () => server.done({ content: [text('x')] }) },
    });
    const client = await server.connect();
    await client.callTool('echo', { text: 'x' });
    const result = await client.callTool('plain');
    const [first, second] = server.all('tools/call').map(({ params }) => [params.name, params.arguments]);
    proves('2024-11-05/tools/call-has-name-and-object-arguments', () =>
      expect([first, second]).toEqual([
        ['echo', { text: 'x' }],
        ['plain', {}],
      ]),
    );
    proves('2024-11-05/tools/is-error-defaults-false', () => expect(result.isError ?? false).toBe(false));
    const bare = script();
    const refused = await (await bare.connect()).callTool('echo').catch((error: unknown) => error);
    proves('2024-11-05/tools/invocation-requires-tools-capability', () => {
      expect(refused).toBeInstanceOf(CapabilityError);
      expect(bare.all('tools/call')).toEqual([]);
    });
  },
);

over(all, 'content of every kind reaches the caller', async ({ script, proves, revision }) => {
  const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };
  const audio = { type: 'audio', data: 'AA==', mimeType: 'audio/wav' };
  const link = { type: 'resource_link', uri: 'memo://unlisted', name: 'unlisted' };
  const content = [
    text('x'),
    image,
    ...(revision >= '2025-03-26' ? [audio] : []),
    ...(revision >= '2025-06-18' ? [link] : []),
  ];
  const server = script({
    capabilities: { tools: {} },
    answers: { 'tools/call': () => server.done({ content }) },
  });
  const { content: got } = await (await server.connect()).callTool('all');
  proves('2024-11-05/tools/result-can-mix-content-items', () => expect(got).toEqual(content));
  proves('2024-11-05/tools/text-content-supported', () => expect(got[0]).toEqual(text('x')));
  proves('2024-11-05/tools/image-content-is-base64-with-mime-type', () => expect(got[1]).toEqual(image));
  if (revision >= '2025-03-26')
    proves('2025-03-26/tools/audio-content-is-base64-with-mime-type', () => expect(got[2]).toEqual(audio));
  if (revision >= '2025-06-18')
    proves('2025-06-18/tools/resource-link-may-be-unlisted', () => expect(got.at(-1)).toEqual(link));
});

over(all, 'an invalid result is refused, a tool error is not', async ({ script, proves }) => {
  const results: Record<string, object> = {
    none: {},
    text: { content: 'x' },
    block: { content: [{ type: 'text' }] },
    failed: { content: [text('no disk')], isError: true },
  };
  const server = script({
    capabilities: { tools: {} },
    answers: { 'tools/call': ({ params }) => server.done(results[params.name]!) },
  });
  const client = await server.connect();
  const outcomes: unknown[] = [];
  for (const name of ['none', 'text', 'block'])
    outcomes.push(await client.callTool(name).catch((error: unknown) => error instanceof AnswerError));
  proves('2024-11-05/tools/results-validated-before-model', () =>
    expect(outcomes).toEqual([true, true, true]),
  );
  const failed = await client.callTool('failed');
  proves('2025-11-25/tools/tool-execution-errors-given-to-model', () =>
    expect([failed.isError, failed.content]).toEqual([true, [text('no disk')]]),
  );
});

over(all, 'a call has a default timeout', async ({ script, proves }) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const server = script({ capabilities: { tools: {} }, answers: { 'tools/call': undefined } });
    const client = await server.connect();
    const call = client.callTool('slow').catch((error: unknown) => error);
    await server.awaitMessage('tools/call');
    await vi.advanceTimersByTimeAsync(60_000);
    const error = await call;
    proves('2024-11-05/tools/calls-have-timeouts', () =>
      expect((error as ConnectionError).reason).toBe('timeout'),
    );
    expect(error).toBeInstanceOf(ConnectionError);
  } finally {
    vi.useRealTimers();
  }
});

over(all, 'after a change the list is requested again', async ({ script, proves, stateless: modern }) => {
  let version = 0;
  const server = script({
    capabilities: { tools: { listChanged: true } },
    answers: {
      'tools/list': () => server.done({ ttlMs: 60_000, tools: [{ name: `v${++version}`, inputSchema }] }),
      'subscriptions/listen': undefined,
    },
  });
  const client = await server.connect();
  let changed = (): void => {};
  const seen = new Promise<void>((resolve) => {
    changed = resolve;
  });
  const listening = client.onListChanged('tools', () => changed());
  const id = modern ? (await server.awaitMessage('subscriptions/listen')).id : undefined;
  const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
  if (modern)
    server.say({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true }, _meta },
    });
  const subscription = await listening;
  const before = await client.listTools();
  server.say({ method: 'notifications/tools/list_changed', ...(modern && { params: { _meta } }) });
  await seen;
  const after = await client.listTools();
  proves('2024-11-05/tools/client-refetches-after-list-changed', () =>
    expect([before[0]?.name, after[0]?.name]).toEqual(['v1', 'v2']),
  );
  await subscription.close().catch(() => {});
});

over(between('2025-03-26'), 'annotations of a tool do not affect its calls', async ({ script, proves }) => {
  const hints = { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false };
  const tools = [
    { name: 'a', inputSchema, annotations: hints },
    { name: 'b', inputSchema },
  ];
  const server = script({
    capabilities: { tools: {} },
    answers: {
      'tools/list': () => server.done({ tools }),
      'tools/call': () => ({ error: { code: -32603, message: 'no' } }),
    },
  });
  const client = await server.connect();
  await client.listTools();
  const outcomes: unknown[] = [];
  for (const name of ['a', 'b'])
    outcomes.push(await client.callTool(name, { x: 1 }).catch((error: Error) => error.message));
  const [a, b] = server.all('tools/call').map(({ params }) => ({ ...params, name: '' }));
  proves('2025-03-26/tools/annotations-untrusted', () =>
    expect([outcomes, server.all('tools/call').length]).toEqual([['no', 'no'], 2]),
  );
  proves('2025-03-26/tools/no-decision-on-untrusted-annotations', () => expect(a).toEqual(b));
});

over(
  between('2025-06-18'),
  'structured content is validated against the listed schema',
  async ({ script, proves, stateless: modern }) => {
    const outputSchema = {
      type: 'object',
      properties: { sum: { $ref: '#/$defs/sum' } },
      required: ['sum'],
      $defs: { sum: { type: 'number' } },
    };
    const tools = ['right', 'wrong', 'none', 'failed', 'Right'].map((name) => ({
      name,
      inputSchema,
      ...(name !== 'Right' && { outputSchema }),
    }));
    const content = [text('x')];
    const results: Record<string, object> = {
      right: { content, structuredContent: { sum: 3 } },
      wrong: { content, structuredContent: { sum: 'three' } },
      none: { content },
      failed: { content, isError: true },
      Right: { content },
    };
    const server = script({
      capabilities: { tools: {} },
      answers: {
        'tools/list': () => server.done({ tools }),
        'tools/call': ({ params }) => server.done(results[params.name]!),
      },
    });
    const client = await server.connect();
    await client.listTools();
    const outcomes: unknown[] = [];
    for (const { name } of tools)
      outcomes.push(
        await client.callTool(name).then(
          () => 'fine',
          (error: unknown) => error instanceof AnswerError,
        ),
      );
    proves('2025-06-18/tools/client-validates-structured-content', () =>
      expect(outcomes.slice(0, 4)).toEqual(['fine', true, true, 'fine']),
    );
    proves('2025-11-25/tools/tool-names-case-sensitive', () =>
      expect([outcomes[0], outcomes[4]]).toEqual(['fine', 'fine']),
    );
    proves('2026-07-28/tools/ref-rules-followed-in-tool-validation', () => expect(outcomes[1]).toBe(true));
    expect(modern).toBe(server.all('initialize').length === 0);
  },
);

over(stateless, 'two servers with the same name are separate', async ({ script, proves }) => {
  const outputSchema = { type: 'object', required: ['a'] };
  const serve = (schema: object | undefined) => {
    const server = script({
      capabilities: { tools: {} },
      answers: {
        'tools/list': () =>
          server.done({
            ttlMs: 60_000,
            tools: [{ name: 't', inputSchema, ...(schema && { outputSchema: schema }) }],
          }),
        'tools/call': () => server.done({ content: [] }),
      },
    });
    return server;
  };
  const [strict, loose] = [await serve(outputSchema).connect(), await serve(undefined).connect()];
  await strict.listTools();
  const listed = await loose.listTools();
  const outcomes = [
    await strict.callTool('t').catch((error: unknown) => error instanceof AnswerError),
    await loose.callTool('t').then(() => 'fine'),
  ];
  proves('2026-07-28/tools/server-name-not-used-for-disambiguation', () => {
    expect(strict.serverInfo).toEqual(loose.serverInfo);
    expect([outcomes, listed[0]?.outputSchema]).toEqual([[true, 'fine'], undefined]);
  });
});

over(between('2025-03-26'), 'absent hints have their defaults', async ({ proves, revision }) => {
  const bare = toolHints({});
  proves('2025-03-26/tools/read-only-hint-defaults-false', () => expect(bare.readOnly).toBe(false));
  proves('2025-03-26/tools/destructive-hint-defaults-true', () => expect(bare.destructive).toBe(true));
  proves('2025-03-26/tools/idempotent-hint-defaults-false', () => expect(bare.idempotent).toBe(false));
  proves('2025-03-26/tools/open-world-hint-defaults-true', () => expect(bare.openWorld).toBe(true));
  const reads = toolHints({
    annotations: { readOnlyHint: true, destructiveHint: true, idempotentHint: false },
  });
  const writes = toolHints({
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  });
  proves('2025-03-26/tools/hints-meaningless-for-read-only-tools', () =>
    expect([reads, writes].map(({ destructive, idempotent }) => [destructive, idempotent])).toEqual([
      [false, true],
      [false, true],
    ]),
  );
  if (revision < '2025-06-18') return;
  const named = { name: 'add', title: 'Add', annotations: { title: 'Old title' } };
  const names = [named, { name: 'add', annotations: { title: 'Old title' } }, { name: 'add' }].map(
    displayName,
  );
  proves('2025-06-18/tools/display-name-precedence', () =>
    expect(names).toEqual(['Add', 'Old title', 'add']),
  );
  proves('2025-06-18/tools/name-is-display-fallback', () =>
    expect(displayName({ name: 'memo', annotations: { priority: 1 } })).toBe('memo'),
  );
});
