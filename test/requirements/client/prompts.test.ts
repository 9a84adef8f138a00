import { AnswerError, CapabilityError } from '@rootbound/protocol/client';
import { expect } from 'vitest';
import { all, between } from '../revisions.ts';
import { over } from './world.ts';

const capabilities = { prompts: { listChanged: true } };
const message = (content: object) => ({ role: 'user', content });
const text = { type: 'text', text: 'x' };

over(
  all,
  'prompts are listed on all pages and requested with string arguments',
  async ({ script, proves }) => {
    const pages: Record<string, object> = {
      first: { prompts: [{ name: 'a', arguments: [{ name: 'who', required: true }] }], nextCursor: 'more' },
      more: { prompts: [{ name: 'b' }] },
    };
    const server = script({
      capabilities,
      answers: {
        'prompts/list': ({ params }) => server.done(pages[params.cursor ?? 'first']!),
        'prompts/get': () => server.done({ messages: [message(text)] }),
      },
    });
    const client = await server.connect();
    const prompts = await client.listPrompts();
    proves('2024-11-05/prompts/client-handles-list-pagination', () =>
      expect(prompts.map(({ name }) => name)).toEqual(['a', 'b']),
    );
    const { messages } = await client.getPrompt('a', { who: 'Ann' });
    const { params } = await server.awaitMessage('prompts/get');
    proves('2024-11-05/prompts/get-arguments-are-strings', () =>
      expect(params.arguments).toEqual({ who: 'Ann' }),
    );
    proves('2024-11-05/prompts/required-arguments-provided', () =>
      expect(Object.keys(params.arguments)).toEqual(prompts[0]?.arguments?.map(({ name }) => name)),
    );
    proves('2024-11-05/prompts/text-content-supported', () => expect(messages[0]?.content).toEqual(text));
    const bare = await script().connect();
    const refused = await bare.getPrompt('a').catch((error: unknown) => error);
    proves('2024-11-05/prompts/capability-negotiation-respected', () =>
      expect(refused).toBeInstanceOf(CapabilityError),
    );
  },
);

over(
  all,
  'non-string arguments are not sent, and invalid messages are refused',
  async ({ script, proves }) => {
    const wrong = [
      message({ type: 'text' }),
      message({ type: 'image', data: 'AA==' }),
      { role: 'system', content: text },
      message({ type: 'exec', command: 'rm' }),
    ];
    const server = script({
      capabilities,
      answers: { 'prompts/get': ({ params }) => server.done({ messages: [wrong[Number(params.name)]] }) },
    });
    const client = await server.connect();
    const inputs: unknown[] = [];
    for (const value of [7, null, { a: 1 }, ['x']])
      inputs.push(
        await client
          .getPrompt('a', { who: value as never })
          .catch((error: unknown) => error instanceof TypeError),
      );
    proves('2024-11-05/prompts/inputs-validated-against-injection', () => {
      expect(inputs).toEqual([true, true, true, true]);
      expect(server.all('prompts/get')).toEqual([]);
    });
    const outcomes: unknown[] = [];
    for (const index of wrong.keys())
      outcomes.push(
        await client.getPrompt(String(index)).catch((error: unknown) => error instanceof AnswerError),
      );
    proves('2024-11-05/prompts/outputs-validated-against-injection', () =>
      expect(outcomes).toEqual([true, true, true, true]),
    );
  },
);

over(between('2025-06-18'), 'links in messages reach the caller', async ({ script, proves }) => {
  const link = { type: 'resource_link', uri: 'memo://a', name: 'a' };
  const server = script({
    capabilities,
    answers: { 'prompts/get': () => server.done({ messages: [message(link)] }) },
  });
  const { messages } = await (await server.connect()).getPrompt('a');
  proves('2025-06-18/prompts/resource-link-content-supported', () =>
    expect(messages[0]?.content).toEqual(link),
  );
});

over(all, 'after a change the list is requested again', async ({ script, proves, stateless: modern }) => {
  let version = 0;
  const server = script({
    capabilities,
    answers: {
      'subscriptions/listen': undefined,
      'prompts/list': () => server.done({ ttlMs: 60_000, prompts: [{ name: `v${++version}` }] }),
    },
  });
  const client = await server.connect();
  let changed = (): void => {};
  const seen = new Promise<void>((resolve) => {
    changed = resolve;
  });
  const listening = client.onListChanged('prompts', () => changed());
  const _meta = modern
    ? { 'io.modelcontextprotocol/subscriptionId': (await server.awaitMessage('subscriptions/listen')).id }
    : undefined;
  if (modern)
    server.say({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { promptsListChanged: true }, _meta },
    });
  const subscription = await listening;
  const before = await client.listPrompts();
  server.say({ method: 'notifications/prompts/list_changed', ...(modern && { params: { _meta } }) });
  await seen;
  const after = await client.listPrompts();
  proves('2024-11-05/prompts/client-refetches-after-list-changed', () =>
    expect([before[0]?.name, after[0]?.name]).toEqual(['v1', 'v2']),
  );
  await subscription.close().catch(() => {});
});
