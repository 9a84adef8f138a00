import { createServer, prompt, ToolError } from '@rootbound/protocol';
import { expect } from 'vitest';
import type { Message } from '../message.ts';
import { all, between, handshake, stateless } from '../revisions.ts';
import { fixture, pixel, Stage } from './fixture.ts';
import type { Talk } from './talk.ts';
import { everything, person } from './tour.ts';
import { over, shakeHands } from './world.ts';

const isMimeType = (value: unknown): boolean => /^[a-z]+\/[a-z0-9.+-]+$/.test(String(value));
const isBase64 = (value: unknown): boolean =>
  typeof value === 'string' && Buffer.from(value, 'base64').toString('base64') === value;

over(all, 'a server with prompts declares them', async ({ raw, open, proves, stateless: modern }) => {
  const bare = createServer({ name: 'bare', version: '1' });
  const declared = async (server = fixture()) => {
    const { result } = modern
      ? await (await open(server)).request('server/discover')
      : await shakeHands(raw(server));
    return result.capabilities.prompts;
  };
  const [with_, without, quiet] = [
    await declared(),
    await declared(bare),
    await declared(fixture(new Stage(), { listChanges: {} })),
  ];
  proves('2024-11-05/prompts/declares-capability', () =>
    expect([with_, without]).toEqual([{ listChanged: true }, undefined]),
  );
  proves('2026-07-28/prompts/declares-capability', () =>
    expect([with_, without]).toEqual([{ listChanged: true }, undefined]),
  );
  proves('2024-11-05/prompts/list-changed-flag-announces-notifications', () =>
    expect([with_.listChanged, quiet.listChanged]).toEqual([true, undefined]),
  );
  const refused = [
    await (await open(bare)).request('prompts/list'),
    await (await open(bare)).request('prompts/get', { name: 'greet' }),
  ];
  proves('2024-11-05/prompts/capability-negotiation-respected', () =>
    expect(refused.map(({ error }) => error.code)).toEqual([-32601, -32601]),
  );
});

over(all, 'the list has the fields of the revision for each prompt', async ({ open, proves, revision }) => {
  const { prompts } = (await (await open()).request('prompts/list')).result;
  const [greet, show] = prompts;
  const titled = revision >= '2025-06-18';
  proves('2024-11-05/prompts/list-returns-prompts', () =>
    expect(prompts.map(({ name }: Message) => name)).toEqual(['greet', 'show']),
  );
  proves('2026-07-28/prompts/list-answered-with-available-prompts', () => expect(prompts).toHaveLength(2));
  proves('2024-11-05/prompts/name-identifies-prompt-uniquely', () => {
    const twice = [prompt({ name: 'a', get: () => 'x' }), prompt({ name: 'a', get: () => 'y' })];
    expect(() => createServer({ name: 's', version: '1', prompts: twice })).toThrow(
      'two prompts have the name a',
    );
  });
  proves('2024-11-05/prompts/description-and-arguments-are-optional', () =>
    expect([greet.description, show.description, show.arguments]).toEqual([
      'Greets somebody.',
      undefined,
      undefined,
    ]),
  );
  proves('2024-11-05/prompts/argument-definition-shape', () =>
    expect(greet.arguments).toEqual([
      { name: 'who', ...(titled && { title: 'Who' }), description: 'Whom to greet', required: true },
      { name: 'tone', description: 'How' },
    ]),
  );
  proves('2025-06-18/prompts/title-is-optional', () =>
    expect([greet.title, show.title]).toEqual([titled ? 'Greet' : undefined, undefined]),
  );
  expect(greet.icons).toEqual(revision >= '2025-11-25' ? [{ src: pixel }] : undefined);
});

over(all, 'getting a prompt fills in its arguments', async ({ open, proves }) => {
  const talk = await open();
  const get = async (args: object) =>
    (await talk.request('prompts/get', { name: 'greet', arguments: args })).result;
  const plain = await get({ who: 'Ann' });
  const full = await get({ who: 'Ann', tone: 'kind' });
  proves('2024-11-05/prompts/get-returns-messages', () =>
    expect([plain.description, plain.messages]).toEqual([
      'Greets somebody.',
      [{ role: 'user', content: { type: 'text', text: 'Greet Ann.' } }],
    ]),
  );
  proves('2024-11-05/prompts/get-applies-arguments', () =>
    expect(full.messages[0].content.text).toBe('Greet Ann in a kind tone.'),
  );
  proves('2024-11-05/prompts/text-content-supported', () =>
    expect(full.messages[0].content.type).toBe('text'),
  );
});

over(
  all,
  'messages have pictures, sounds and resources in their defined form',
  async ({ open, proves, revision }) => {
    const { messages } = (await (await open()).request('prompts/get', { name: 'show' })).result;
    const [image, audio, embedded, link] = messages.map(({ content }: Message) => content);
    proves('2024-11-05/prompts/message-role-is-user-or-assistant', () =>
      expect(messages.map(({ role }: Message) => role)).toEqual(['user', 'user', 'assistant', 'assistant']),
    );
    proves('2024-11-05/prompts/image-data-is-base64', () =>
      expect([image.type, isBase64(image.data)]).toEqual(['image', true]),
    );
    proves('2024-11-05/prompts/image-has-valid-mime-type', () =>
      expect(isMimeType(image.mimeType)).toBe(true),
    );
    const sound = revision === '2024-11-05' ? audio.resource : audio;
    proves('2025-03-26/prompts/audio-data-is-base64', () =>
      expect(isBase64(sound.data ?? sound.blob)).toBe(true),
    );
    proves('2025-03-26/prompts/audio-has-valid-mime-type', () =>
      expect(isMimeType(sound.mimeType)).toBe(true),
    );
    const { resource } = embedded;
    proves('2024-11-05/prompts/embedded-resource-has-valid-uri', () =>
      expect(URL.canParse(resource.uri)).toBe(true),
    );
    proves('2024-11-05/prompts/embedded-resource-has-mime-type', () =>
      expect(resource.mimeType).toBe('text/plain'),
    );
    proves('2024-11-05/prompts/embedded-resource-has-text-or-blob', () =>
      expect('text' in resource || isBase64(resource.blob)).toBe(true),
    );
    proves('2025-06-18/prompts/resource-link-content-supported', () =>
      expect(link.type).toBe(revision >= '2025-06-18' ? 'resource_link' : 'text'),
    );
  },
);

over(
  all,
  'an invalid prompt request is refused with the correct code, and its text is not executed',
  async ({ open, proves }) => {
    const got: unknown[] = [];
    const careful = prompt({
      name: 'open',
      arguments: [{ name: 'path', required: true }],
      get: ({ path }) => {
        got.push(path);
        if (path?.includes('..')) throw new ToolError('path must stay below the root');
        return `Open "${path}".`;
      },
    });
    const broken = prompt({
      name: 'broken',
      get: () => {
        throw new Error('secret');
      },
    });
    const talk = await open(fixture(new Stage(), { prompts: [careful, broken] }));
    const get = (name: unknown, args?: unknown) => talk.request('prompts/get', { name, arguments: args });
    const unknown = await get('none');
    proves('2024-11-05/prompts/invalid-name-error-32602', () => expect(unknown.error.code).toBe(-32602));
    const missing = await get('open', {});
    proves('2024-11-05/prompts/missing-arguments-error-32602', () =>
      expect([missing.error.code, missing.error.message]).toEqual([-32602, 'argument path is required']),
    );
    const bug = await get('broken');
    proves('2024-11-05/prompts/internal-error-32603', () => expect(bug.error.code).toBe(-32603));
    const wrong = [
      await get('open', { path: 7 }),
      await get('open', { path: { $ne: '' } }),
      await get('open', ['a']),
      await get(['open']),
    ];
    proves('2024-11-05/prompts/arguments-validated', () =>
      expect(wrong.map(({ error }) => error?.code)).toEqual([-32602, -32602, -32602, -32602]),
    );
    proves('2024-11-05/prompts/inputs-validated-against-injection', () => expect(got).toEqual([]));
    const outside = await get('open', { path: '../secret' });
    const template = await get('open', { path: '{{path}} %s <id>' });
    proves('2024-11-05/prompts/outputs-validated-against-injection', () => {
      expect([outside.error.code, bug.error.message]).toEqual([-32602, 'internal error']);
      expect(template.result.messages).toEqual([
        { role: 'user', content: { type: 'text', text: 'Open "{{path}} %s <id>".' } },
      ]);
    });
  },
);

over(handshake, 'a list change is notified', async ({ open, proves }) => {
  const talk = await open();
  talk.start('tools/call', { name: 'announce', arguments: { list: 'prompts' } });
  const { method } = await talk.awaitMessage('notifications/prompts/list_changed');
  proves('2024-11-05/prompts/list-changed-notification-sent', () =>
    expect(method).toBe('notifications/prompts/list_changed'),
  );
});

over(
  stateless,
  'a list change is notified on streams that requested it, and nowhere else',
  async ({ open, proves }) => {
    const server = fixture();
    const [asked, other] = [await open(server), await open(server)];
    const id = asked.start('subscriptions/listen', { notifications: { promptsListChanged: true } });
    other.start('subscriptions/listen', { notifications: { toolsListChanged: true } });
    await asked.awaitMessage('notifications/subscriptions/acknowledged');
    await other.awaitMessage('notifications/subscriptions/acknowledged');
    server.listChanged('prompts');
    const { params } = await asked.awaitMessage('notifications/prompts/list_changed');
    proves('2026-07-28/prompts/list-changed-notification-sent', () =>
      expect(params._meta['io.modelcontextprotocol/subscriptionId']).toBe(id),
    );
    const quiet = await other.settled();
    proves('2026-07-28/prompts/list-changed-only-on-listen-stream', () => expect(quiet).toEqual([]));
  },
);

over(
  stateless,
  'the list is the same for every connection and after every request',
  async ({ open, proves }) => {
    const server = fixture();
    const listOf = async (talk: Talk) => JSON.stringify((await talk.request('prompts/list')).result.prompts);
    const [one, other] = [await open(server, { capabilities: everything }), await open(server)];
    const before = await listOf(one);
    const elsewhere = await listOf(other);
    proves('2026-07-28/prompts/prompt-set-not-per-connection', () => expect(elsewhere).toBe(before));
    await one.settleCall('where', {}, person);
    await one.request('prompts/get', { name: 'show' });
    const after = await listOf(one);
    proves('2026-07-28/prompts/prompt-set-not-changed-by-other-requests', () => expect(after).toBe(before));
  },
);

over(between('2025-03-26'), 'a prompt of one text is one message of the user', async ({ open }) => {
  const talk = await open(fixture(new Stage(), { prompts: [prompt({ name: 'a', get: () => 'x' })] }));
  const { messages } = (await talk.request('prompts/get', { name: 'a' })).result;
  expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'x' } }]);
});
