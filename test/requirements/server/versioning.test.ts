import { createServer } from '@rootbound/protocol';
import { serveMemory } from '@rootbound/protocol/testing';
import { expect } from 'vitest';
import { written } from '../documents.ts';
import type { Message } from '../message.ts';
import { handshake, stateless } from '../revisions.ts';
import { fixture, Stage } from './fixture.ts';
import { Talk } from './talk.ts';
import { everything, person } from './tour.ts';
import { Works } from './works.ts';
import { over, shakeHands } from './world.ts';

const version = 'io.modelcontextprotocol/protocolVersion';
const declared = 'io.modelcontextprotocol/clientCapabilities';

over(stateless, 'an unsupported version is refused with the supported ones', async ({ open, proves }) => {
  const talk = await open();
  const as = (claim: string) => talk.request('tools/list', {}, { [version]: claim });
  const { error } = await as('1900-01-01');
  proves('2026-07-28/versioning/unsupported-version-answered-32022', () => expect(error.code).toBe(-32022));
  proves('2026-07-28/versioning/unsupported-version-error-lists-supported', () =>
    expect(error.data.supported).toEqual(['2026-07-28']),
  );
  proves('2026-07-28/versioning/unsupported-version-error-names-requested', () =>
    expect(error.data.requested).toBe('1900-01-01'),
  );
  const known = await as('2025-11-25');
  proves('2026-07-28/versioning/deliberately-disabled-version-also-rejected', () =>
    expect(known.error).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'], requested: '2025-11-25' },
    }),
  );
  const fine = await talk.request('tools/list');
  const wrong = await as('2099-01-01');
  const after = await talk.request('tools/list');
  proves('2026-07-28/stateless/each-request-version-judged-independently', () =>
    expect([fine, wrong, after].map(({ error: refusal }) => refusal?.code)).toEqual([
      undefined,
      -32022,
      undefined,
    ]),
  );
});

over(stateless, 'the server names itself', async ({ open, proves }) => {
  const { result } = await (await open()).request('server/discover');
  proves('2026-07-28/discover/server-implements-discover', () => expect(result.resultType).toBe('complete'));
  proves('2026-07-28/discover/discover-result-has-supported-versions', () =>
    expect(result.supportedVersions).toEqual(['2026-07-28']),
  );
  proves('2026-07-28/discover/discover-result-has-capabilities', () =>
    expect(result.capabilities.tools).toEqual({ listChanged: true }),
  );
  proves('2026-07-28/stateless/implemented-server-features-advertised', () =>
    expect(Object.keys(result.capabilities).toSorted()).toEqual(
      expect.arrayContaining(['completions', 'logging', 'prompts', 'resources', 'tools']),
    ),
  );
  proves('2026-07-28/versioning/version-is-a-date-string', () =>
    expect(result.supportedVersions[0]).toMatch(/^\d{4}-\d\d-\d\d$/),
  );
  proves('2026-07-28/meta/server-info-has-name-and-version', () =>
    expect(result._meta['io.modelcontextprotocol/serverInfo']).toMatchObject({
      name: 'fixture',
      version: '1.2.3',
    }),
  );
  const names = Object.keys(result.capabilities.extensions ?? {});
  proves('2026-07-28/versioning/extension-identifiers-follow-meta-key-rules', () =>
    expect(
      names.filter(
        (name) => !/^[a-z]([a-z0-9-]*[a-z0-9])?(\.[a-z]([a-z0-9-]*[a-z0-9])?)*\/[A-Za-z0-9._-]+$/.test(name),
      ),
    ).toEqual([]),
  );
  proves('2026-07-28/versioning/extension-identifiers-have-prefix', () =>
    expect(names.filter((name) => !name.includes('/'))).toEqual([]),
  );
});

over(stateless, 'an extension that one side lacks has no effect', async ({ open, proves }) => {
  const talk = await open(undefined, { capabilities: { extensions: { 'com.example/odd': {} } } });
  const { result } = await talk.call('echo', { text: 'x' });
  const { error } = await talk.request('com.example/odd/do');
  proves('2026-07-28/versioning/one-sided-extension-falls-back-or-rejects', () =>
    expect([result.content[0].text, error.code]).toEqual(['x', -32601]),
  );
  proves('2026-07-28/versioning/extensions-advertised-in-capabilities', () =>
    expect(result.resultType).toBe('complete'),
  );
});

over(handshake, 'one connection serves both eras, each by its own rules', async ({ raw, revision }) => {
  const server = fixture();
  const [talk, other] = [raw(server), raw(server)];
  const { result } = await shakeHands(talk);
  expect(result.protocolVersion).toBe(revision);
  const listed = await talk.request('tools/list');
  expect('resultType' in listed.result).toBe(false);
  const { error } = await other.request('tools/list');
  expect(error.code).toBe(-32602);
});

over(
  stateless,
  'a server of both eras serves clients with and without a handshake',
  async ({ raw, proves }) => {
    const server = fixture();
    const [old, modern] = [new Talk(serveMemory(server), '2024-11-05', {}), raw(server)];
    const { result: shaken } = await shakeHands(old);
    const older = await old.request('tools/list');
    const listed = await modern.request('tools/list');
    proves('2026-07-28/versioning/dual-era-server-serves-legacy-client', () =>
      expect([shaken.protocolVersion, 'resultType' in older.result]).toEqual(['2024-11-05', false]),
    );
    proves('2026-07-28/versioning/dual-era-server-serves-modern-requests-statelessly', () =>
      expect(listed.result.resultType).toBe('complete'),
    );
    const bare = await modern.ask('{"jsonrpc":"2.0","id":9,"method":"tools/list"}');
    proves('2026-07-28/versioning/legacy-semantics-scoped-to-process-or-session', () =>
      expect(bare.error.code).toBe(-32602),
    );
  },
);

over(stateless, 'an initialize in a modern request is an unknown method', async ({ open, proves }) => {
  const { error } = await (await open()).request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'o', version: '1' },
  });
  proves('2026-07-28/versioning/initialize-rejected-by-modern-stdio-server', () =>
    expect(error.code).toBe(-32601),
  );
});

over(stateless, 'each request is independent of earlier ones', async ({ open, proves }) => {
  const stage = new Stage();
  const server = fixture(stage);
  const talk = await open(server, { capabilities: everything });
  await talk.settleCall('think', {}, person);
  const without = await talk.call('think', {}, { [declared]: {} });
  proves('2026-07-28/stateless/capabilities-not-inferred-from-prior-requests', () =>
    expect(without.error?.code).toBe(-32021),
  );
  proves('2026-07-28/stateless/undeclared-client-capability-not-relied-on', () =>
    expect(without.result).toBeUndefined(),
  );
  proves('2026-07-28/stateless/missing-client-capability-answered-32021', () =>
    expect(without.error.code).toBe(-32021),
  );
  proves('2026-07-28/stateless/missing-capability-error-lists-capabilities', () =>
    expect(without.error.data).toEqual({ requiredCapabilities: { sampling: {} } }),
  );
  proves('2026-07-28/stateless/declared-capabilities-respected-per-request', () =>
    expect(without.error.message).toContain('sampling'),
  );
  await talk.call('say', { level: 'error', data: 'x' }, { 'io.modelcontextprotocol/logLevel': 'debug' });
  await talk.call('say', { level: 'error', data: 'x' });
  const bare = await talk.ask('{"jsonrpc":"2.0","id":"bare","method":"tools/list"}');
  proves('2026-07-28/stateless/no-reliance-on-prior-requests', () => {
    expect(talk.heard.filter(({ method }) => method === 'notifications/message')).toHaveLength(1);
    expect(bare.error.code).toBe(-32602);
  });
});

over(
  stateless,
  'requests of several clients can share one connection or use several',
  async ({ open, proves }) => {
    const server = fixture();
    const [one, other] = [
      await open(server, { capabilities: everything }),
      await open(server, { capabilities: everything }),
    ];
    const ids = ['a', 'b', 'c'].map((text) =>
      one.start('tools/call', { name: 'later', arguments: { text } }),
    );
    const texts: unknown[] = [];
    for (const id of ids) texts.push((await one.answer(id)).result.content[0].text);
    proves('2026-07-28/stateless/handles-interleaved-conversations', () =>
      expect(texts).toEqual(['a', 'b', 'c']),
    );
    const call = { name: 'deploy', arguments: { env: 'x' } };
    const { result } = await one.request('tools/call', call);
    const inputResponses = { sure: { action: 'accept', content: { confirm: true } } };
    const finished = await other.request('tools/call', {
      ...call,
      inputResponses,
      requestState: result.requestState,
    });
    proves('2026-07-28/stateless/no-connection-affinity-required', () =>
      expect(finished.result.content[0].text).toBe('deployed'),
    );
    const bare = await one.request('tools/call', { ...call, inputResponses });
    proves('2026-07-28/stateless/cross-request-state-has-explicit-identifier', () =>
      expect([result.requestState !== undefined, bare.result.resultType]).toEqual([true, 'input_required']),
    );
    proves('2026-07-28/stateless/connection-is-not-a-session', () =>
      expect(bare.result.resultType).toBe('input_required'),
    );
  },
);

over(
  stateless,
  'a process with the same key accepts states, one with another key does not',
  async ({ open }) => {
    const stateKey = new Uint8Array(32).fill(7);
    const [one, same, other] = [
      fixture(new Stage(), { stateKey }),
      fixture(new Stage(), { stateKey }),
      fixture(),
    ];
    const call = { name: 'deploy', arguments: { env: 'x' } };
    const capabilities = everything;
    const { result } = await (await open(one, { capabilities })).request('tools/call', call);
    const retry = {
      ...call,
      inputResponses: { sure: { action: 'accept', content: { confirm: true } } },
      requestState: result.requestState,
    };
    const answers: Message[] = [];
    for (const server of [same, other])
      answers.push(await (await open(server, { capabilities })).request('tools/call', retry));
    expect(answers.map(({ result: done, error }) => done?.content[0].text ?? error.code)).toEqual([
      'deployed',
      -32602,
    ]);
  },
);

over(stateless, 'a server without features declares none', async ({ open }) => {
  const { result } = await (await open(createServer({ name: 'bare', version: '1' }))).request(
    'server/discover',
  );
  expect(result.capabilities.tools).toBeUndefined();
});

over(
  stateless,
  'the behaviour of tasks for a client without them is documented',
  async ({ proves, revision }) => {
    const works = new Works();
    works.open('a');
    const talk = await works.talk(revision, {});
    const optional = await talk.call('work', { label: 'a' });
    const required = await talk.call('must');
    const text = written('packages/protocol/src/server/define.ts');
    proves('2026-07-28/versioning/extension-documents-fallback', () => {
      expect(text).toMatch(/an optional one runs as usual and a required one does not exist/);
      expect([optional.result.structuredContent, required.error.code]).toEqual([{ done: 'a' }, -32021]);
    });
  },
);
