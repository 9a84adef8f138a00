import { createServer, resource, ToolError, template } from '@rootbound/protocol';
import { expect } from 'vitest';
import type { Message } from '../message.ts';
import { all, between, handshake, stateless } from '../revisions.ts';
import { days, fixture, pixel, Stage } from './fixture.ts';
import type { Talk } from './talk.ts';
import { everything, person } from './tour.ts';
import { over, shakeHands, type World } from './world.ts';

const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

/** Returns the resource capabilities of a server. */
async function declared({ raw, open, stateless: modern }: World, server = fixture()): Promise<Message> {
  const { result } = modern
    ? await (await open(server)).request('server/discover')
    : await shakeHands(raw(server));
  return result.capabilities.resources;
}

over(all, 'a server with resources declares them and their notifications', async (world) => {
  const { proves } = world;
  const watch = async () => () => {};
  const resources = [resource({ uri: 'memo://a', name: 'a', read: () => 'x' })];
  const make = (more: object) => createServer({ name: 's', version: '1', resources, ...more });
  const [plain, subscribing, listing, both] = [
    await declared(world, make({})),
    await declared(world, make({ watch })),
    await declared(world, make({ listChanges: { resources: true } })),
    await declared(world, make({ watch, listChanges: { resources: true } })),
  ];
  const none = await declared(world, createServer({ name: 'bare', version: '1' }));
  proves('2024-11-05/resources/declares-capability', () => expect([plain, none]).toEqual([{}, undefined]));
  proves('2026-07-28/resources/declares-capability', () => expect([plain, none]).toEqual([{}, undefined]));
  proves('2024-11-05/resources/subscribe-flag-announces-subscriptions', () =>
    expect(subscribing.subscribe).toBe(true),
  );
  proves('2026-07-28/resources/subscribe-flag-announces-listen-support', () =>
    expect(subscribing).toEqual({ subscribe: true }),
  );
  proves('2024-11-05/resources/list-changed-flag-announces-notifications', () =>
    expect(listing).toEqual({ listChanged: true }),
  );
  proves('2024-11-05/resources/subscribe-and-list-changed-independent', () =>
    expect([plain, subscribing, listing, both]).toEqual([
      {},
      { subscribe: true },
      { listChanged: true },
      { subscribe: true, listChanged: true },
    ]),
  );
});

over(all, 'the list has the fields of the revision for each resource', async ({ open, proves, revision }) => {
  const talk = await open();
  const { resources } = (await talk.request('resources/list')).result;
  const [today, bytes] = resources;
  proves('2024-11-05/resources/list-returns-resources', () =>
    expect(resources.map(({ uri }: Message) => uri)).toEqual(['memo://today', 'memo://bytes']),
  );
  proves('2026-07-28/resources/list-answered-with-available-resources', () =>
    expect(resources).toHaveLength(2),
  );
  proves('2024-11-05/resources/resource-has-uri-and-name', () =>
    expect(today).toMatchObject({ uri: 'memo://today', name: 'today' }),
  );
  proves('2024-11-05/resources/uri-identifies-resource-uniquely', () => {
    const one = resource({ uri: 'memo://a', name: 'a', read: () => 'x' });
    expect(() => createServer({ name: 's', version: '1', resources: [one, { ...one, name: 'b' }] })).toThrow(
      'two resources have the uri memo://a',
    );
  });
  proves('2024-11-05/resources/description-and-mime-type-are-optional', () =>
    expect([today.description, today.mimeType, bytes.description]).toEqual([
      'What is to be done',
      'text/plain',
      undefined,
    ]),
  );
  const { contents } = (await talk.request('resources/read', { uri: 'memo://today' })).result;
  proves('2024-11-05/resources/size-is-raw-byte-count', () =>
    expect(today.size).toBe(Buffer.byteLength(contents[0].text)),
  );
  proves('2024-11-05/resources/annotation-audience-values', () =>
    expect(today.annotations.audience).toEqual(['user']),
  );
  proves('2024-11-05/resources/annotation-priority-range', () => expect(today.annotations.priority).toBe(1));
  const annotated = () =>
    expect([today.annotations !== undefined, bytes.annotations]).toEqual([true, undefined]);
  proves('2024-11-05/resources/annotations-on-resources-and-content', annotated);
  if (revision >= '2025-06-18')
    proves('2025-06-18/resources/annotations-on-resources-and-content', annotated);
  const modern = revision >= '2025-06-18';
  proves('2025-06-18/resources/annotation-last-modified-is-iso-8601', () =>
    expect(today.annotations.lastModified).toBe(modern ? '2026-01-01T00:00:00Z' : undefined),
  );
  proves('2025-06-18/resources/title-is-optional', () =>
    expect([today.title, bytes.title]).toEqual([modern ? 'Today' : undefined, undefined]),
  );
  expect(today.icons).toEqual(revision >= '2025-11-25' ? [{ src: pixel }] : undefined);
});

over(all, 'templates name URIs that can be read', async ({ open, proves, revision }) => {
  const talk = await open();
  const { resourceTemplates } = (await talk.request('resources/templates/list')).result;
  const [day] = resourceTemplates;
  proves('2024-11-05/resources/templates-list-returns-templates', () =>
    expect(resourceTemplates).toHaveLength(1),
  );
  proves('2024-11-05/resources/template-has-name', () =>
    expect(day).toMatchObject({ uriTemplate: 'memo://days/{day}', name: 'day' }),
  );
  expect(day.title).toBe(revision >= '2025-06-18' ? 'A day' : undefined);
  const read: Message[] = [];
  for (const name of Object.keys(days))
    read.push(
      (await talk.request('resources/read', { uri: day.uriTemplate.replace('{day}', name) })).result
        .contents[0],
    );
  proves('2024-11-05/resources/template-uri-is-rfc6570', () => {
    expect(read.map(({ text }) => text)).toEqual(Object.values(days));
    expect(() =>
      createServer({
        name: 's',
        version: '1',
        resources: [template({ uriTemplate: 'memo://{a', name: 'a', read: () => 'x' })],
      }),
    ).toThrow('uriTemplate memo://{a');
  });
  proves('2024-11-05/resources/template-mime-type-only-if-uniform', () =>
    expect(read.map(({ mimeType }) => mimeType)).toEqual([day.mimeType, day.mimeType]),
  );
});

over(all, 'text is read as text and bytes as base64', async ({ open, proves }) => {
  const talk = await open();
  const read = async (uri: string) => (await talk.request('resources/read', { uri })).result.contents;
  const [text] = await read('memo://today');
  const [bytes] = await read('memo://bytes');
  proves('2024-11-05/resources/read-returns-contents', () =>
    expect(text).toEqual({ uri: 'memo://today', mimeType: 'text/plain', text: 'water the plants' }),
  );
  proves('2024-11-05/resources/contents-item-has-uri', () =>
    expect([text.uri, bytes.uri]).toEqual(['memo://today', 'memo://bytes']),
  );
  proves('2024-11-05/resources/text-contents-in-text-field', () => expect(text).not.toHaveProperty('blob'));
  proves('2024-11-05/resources/text-field-only-for-real-text', () =>
    expect(bytes).not.toHaveProperty('text'),
  );
  proves('2024-11-05/resources/binary-contents-in-base64-blob', () => expect(bytes.blob).toBe('AQID'));
  proves('2024-11-05/resources/binary-data-properly-encoded', () =>
    expect([...Buffer.from(bytes.blob, 'base64')]).toEqual([1, 2, 3]),
  );
});

over(all, 'an invalid read is refused with the correct code', async ({ open, proves, stateless: modern }) => {
  const broken = resource({
    uri: 'memo://broken',
    name: 'broken',
    read: () => {
      throw new Error('a bug');
    },
  });
  const talk = await open(
    fixture(new Stage(), {
      resources: [broken, template({ uriTemplate: 'memo://days/{day}', name: 'd', read: missing })],
    }),
  );
  const read = (uri: unknown) => talk.request('resources/read', { uri });
  const none = [await read('memo://none'), await read('memo://days/never')];
  proves('2024-11-05/resources/not-found-error-32002', () =>
    expect(none.map(({ error }) => error.code)).toEqual(modern ? [-32602, -32602] : [-32002, -32002]),
  );
  proves('2026-07-28/resources/not-found-error-32602', () =>
    expect(none[0].error.code).toBe(modern ? -32602 : -32002),
  );
  proves('2026-07-28/resources/no-empty-contents-for-missing-resource', () =>
    expect(none.map(({ result }) => result)).toEqual([undefined, undefined]),
  );
  proves('2024-11-05/resources/not-found-error-names-uri', () =>
    expect(none.map(({ error }) => error.data)).toEqual([
      { uri: 'memo://none' },
      { uri: 'memo://days/never' },
    ]),
  );
  const bug = await read('memo://broken');
  proves('2024-11-05/resources/internal-error-32603', () =>
    expect(bug.error).toEqual({ code: -32603, message: 'internal error' }),
  );
  const invalid = [
    await read(7),
    await read(undefined),
    await read(['memo://a']),
    await read('memo://days/%FF'),
    await read('memo://days/a/../b'),
  ];
  proves('2024-11-05/resources/uris-validated', () => {
    expect(invalid.slice(0, 3).map(({ error }) => error.code)).toEqual([-32602, -32602, -32602]);
    expect(invalid.slice(3).map(({ error }) => error?.message)).toEqual([
      'resource not found',
      'resource not found',
    ]);
  });
});

function missing(): never {
  throw new ToolError('no such day', { code: 'not-found' });
}

over(all, 'an unauthorized read does not reach the handler', async ({ open, proves }) => {
  const reads: string[] = [];
  const server = createServer({
    name: 's',
    version: '1',
    scope: () => {
      throw new ToolError('you may not see this');
    },
    resources: [
      resource({
        uri: 'memo://secret',
        name: 'secret',
        read: (uri) => {
          reads.push(uri);
          return 'x';
        },
      }),
    ],
  });
  const { error } = await (await open(server)).request('resources/read', { uri: 'memo://secret' });
  proves('2024-11-05/resources/access-controls-for-sensitive-resources', () =>
    expect(error.message).toContain('you may not see this'),
  );
  proves('2024-11-05/resources/permissions-checked-before-operations', () =>
    expect([error.code, reads]).toEqual([-32602, []]),
  );
});

over(
  handshake,
  'a subscriber is notified of changes until the end of the subscription',
  async ({ open, proves }) => {
    const stage = new Stage();
    const talk = await open(fixture(stage));
    stage.touch('memo://today');
    const before = await talk.settled();
    proves('2024-11-05/resources/updated-only-after-subscribe', () => expect(before).toEqual([]));
    const started = await talk.request('resources/subscribe', { uri: 'memo://today' });
    stage.touch('memo://today');
    const updated = await talk.awaitMessage('notifications/resources/updated');
    proves('2024-11-05/resources/subscribe-starts-update-notifications', () =>
      expect(updated.params.uri).toBe('memo://today'),
    );
    proves('2024-11-05/resources/updated-notification-has-uri', () =>
      expect(updated.params).toEqual({ uri: 'memo://today' }),
    );
    const ended = await talk.request('resources/unsubscribe', { uri: 'memo://today' });
    proves('2024-11-05/resources/subscribe-returns-empty-result', () =>
      expect([started.result, ended.result]).toEqual([{}, {}]),
    );
    stage.touch('memo://today');
    const after = await talk.settled();
    proves('2024-11-05/resources/unsubscribe-stops-update-notifications', () =>
      expect([after, stage.watchers('memo://today')]).toEqual([[], 0]),
    );
  },
);

over(handshake, 'a server without update notifications refuses subscriptions', async ({ open, proves }) => {
  const server = createServer({
    name: 's',
    version: '1',
    resources: [resource({ uri: 'memo://a', name: 'a', read: () => 'x' })],
  });
  const talk = await open(server);
  const { error } = await talk.request('resources/subscribe', { uri: 'memo://a' });
  proves('2024-11-05/resources/updated-notifications-require-subscribe-capability', () =>
    expect(error.code).toBe(-32601),
  );
});

over(handshake, 'a list change is notified', async ({ open, proves }) => {
  const talk = await open();
  talk.start('tools/call', { name: 'announce', arguments: { list: 'resources' } });
  const { method } = await talk.awaitMessage('notifications/resources/list_changed');
  proves('2024-11-05/resources/list-changed-notification-sent', () =>
    expect(method).toBe('notifications/resources/list_changed'),
  );
});

over(
  stateless,
  'changes are notified on the streams that requested them, and nowhere else',
  async ({ open, proves }) => {
    const stage = new Stage();
    const server = fixture(stage);
    const [asked, other] = [await open(server), await open(server)];
    const id = asked.start('subscriptions/listen', {
      notifications: { resourcesListChanged: true, resourceSubscriptions: ['memo://today'] },
    });
    other.start('subscriptions/listen', { notifications: { toolsListChanged: true } });
    await asked.awaitMessage('notifications/subscriptions/acknowledged');
    await other.awaitMessage('notifications/subscriptions/acknowledged');
    server.listChanged('resources');
    const listed = await asked.awaitMessage('notifications/resources/list_changed');
    proves('2026-07-28/resources/list-changed-notification-sent', () =>
      expect(listed.params._meta[subscriptionId]).toBe(id),
    );
    stage.touch('memo://today');
    const updated = await asked.awaitMessage('notifications/resources/updated');
    proves('2026-07-28/resources/watched-resource-change-is-notified', () =>
      expect(updated.params.uri).toBe('memo://today'),
    );
    proves('2026-07-28/resources/updated-notification-has-uri', () =>
      expect(updated.params).toEqual({ uri: 'memo://today', _meta: { [subscriptionId]: id } }),
    );
    const quiet = await other.settled();
    proves('2026-07-28/resources/list-changed-only-on-listen-stream', () => expect(quiet).toEqual([]));
    stage.touch('memo://bytes');
    const unasked = await asked.settled();
    proves('2026-07-28/resources/updated-only-for-requested-uris', () =>
      expect([unasked, quiet]).toEqual([[], []]),
    );
  },
);

over(
  stateless,
  'the list is the same for every connection and after every request',
  async ({ open, proves }) => {
    const server = fixture();
    const listOf = async (talk: Talk) =>
      JSON.stringify((await talk.request('resources/list')).result.resources);
    const [one, other] = [await open(server, { capabilities: everything }), await open(server)];
    const before = await listOf(one);
    const elsewhere = await listOf(other);
    proves('2026-07-28/resources/resource-set-not-per-connection', () => expect(elsewhere).toBe(before));
    await one.call('echo', { text: 'x' });
    await one.settleCall('where', {}, person);
    await one.request('resources/read', { uri: 'memo://days/monday' });
    const after = await listOf(one);
    proves('2026-07-28/resources/resource-set-not-changed-by-other-requests', () =>
      expect(after).toBe(before),
    );
  },
);

over(between('2025-06-18'), 'a resource has an absolute URI', ({ proves }) => {
  const refused = ['today', '/today', '1memo://today', 'memo today://x', 'memo://to day'].map(
    (uri) => () => resource({ uri, name: 'a', read: () => 'x' }),
  );
  const accepted = ['memo://today', 'file:///a%20b', 'git+ssh://host/x', 'urn:isbn:1'].map(
    (uri) => resource({ uri, name: 'a', read: () => 'x' }).uri,
  );
  proves('2025-06-18/resources/custom-uri-scheme-follows-rfc3986', () => {
    expect(accepted).toHaveLength(4);
    for (const make of refused) expect(make).toThrow('must be an absolute URI');
  });
});
