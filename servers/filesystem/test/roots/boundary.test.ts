import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Root } from '@rootbound/protocol';
import type { Client } from '@rootbound/protocol/client';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  call,
  inEveryRevision,
  newest,
  Scene,
  type Setting,
  stateless,
  structuredRevisions,
  whereStructured,
  withHandshake,
} from '../harness.ts';

const scene = new Scene();
const uriOf = (path: string): string => pathToFileURL(path).href;
const offer =
  (...paths: string[]) =>
  (): Root[] =>
    paths.map((path) => ({ uri: uriOf(path) }));

beforeEach(() => {
  scene.put('a/one.txt', 'one');
  scene.put('b/two.txt', 'two');
  writeFileSync(join(scene.outside, 'secret.txt'), 'secret');
});

/** Returns which of the files inside, and the one outside, a client can read. */
async function readable(client: Client): Promise<string[]> {
  const files = {
    a: scene.at('a/one.txt'),
    b: scene.at('b/two.txt'),
    outside: join(scene.outside, 'secret.txt'),
  };
  const found: string[] = [];
  for (const [name, path] of Object.entries(files)) {
    if (!(await call(client, 'read_text_file', { path })).failed) found.push(name);
  }
  return found;
}

/** Returns the client's roots in the scene. */
const offers: Record<string, (() => Root[]) | undefined> = {
  'no roots at all': undefined,
  'an empty list': () => [],
  'a folder elsewhere': () => offer(scene.outside)(),
  'a folder inside': () => offer(scene.at('a'))(),
  'a folder that contains the root': () => offer(scene.top)(),
  'the top of the file system': () => [{ uri: 'file:///' }],
  'a folder that does not exist': () => offer(join(scene.outside, 'none'))(),
  'a URI of another kind': () => [{ uri: 'https://localhost/' }],
};

const all = ['a', 'b'];
const withHandshakeTable: [Setting['clientRoots'], string, string[]][] = [
  ['narrow', 'no roots at all', all],
  ['narrow', 'an empty list', all],
  ['narrow', 'a folder elsewhere', all],
  ['narrow', 'a folder inside', ['a']],
  ['narrow', 'a folder that contains the root', all],
  ['narrow', 'the top of the file system', all],
  ['narrow', 'a folder that does not exist', all],
  ['narrow', 'a URI of another kind', all],
  ['strict', 'no roots at all', []],
  ['strict', 'an empty list', []],
  ['strict', 'a folder elsewhere', []],
  ['strict', 'a folder inside', ['a']],
  ['strict', 'a folder that contains the root', all],
  ['strict', 'the top of the file system', all],
  ['strict', 'a folder that does not exist', []],
  ['ignore', 'no roots at all', all],
  ['ignore', 'an empty list', all],
  ['ignore', 'a folder elsewhere', all],
  ['ignore', 'a folder inside', all],
];

withHandshake((revision) => {
  test.each(withHandshakeTable)(
    '%s: a client that offers %s may read %j',
    async (clientRoots, offered, expected) => {
      const list = offers[offered];
      const client = await scene.client({
        revision,
        clientRoots: clientRoots!,
        ...(list !== undefined && { offers: list }),
      });
      expect(await readable(client)).toEqual(expected);
    },
  );

  test('revocation counts from the next call, and a connection that was narrowed never widens', async () => {
    let offered = offer(scene.root)();
    const client = await scene.client({ revision, offers: () => offered });
    const now = async (...paths: string[]): Promise<string[]> => {
      offered = offer(...paths)();
      client.rootsChanged();
      return readable(client);
    };
    expect(await readable(client)).toEqual(['a', 'b']);
    expect(await now(scene.at('a'))).toEqual(['a']);
    expect(await now()).toEqual([]);
    expect(await now(scene.outside)).toEqual([]);
    expect(await now(scene.at('b'))).toEqual(['b']);
    expect(await now(scene.at('a'), scene.outside)).toEqual(['a']);
    expect(await now(scene.top)).toEqual(['a', 'b']);
  });

  test('a call waits for the first list of roots', async () => {
    let answer: (roots: readonly Root[]) => void = () => {};
    const asked = new Promise<readonly Root[]>((resolve) => {
      answer = resolve;
    });
    const client = await scene.client({ revision, offers: () => asked });
    const order: string[] = [];
    const outcome = call(client, 'read_text_file', { path: scene.at('b/two.txt') }).finally(() =>
      order.push('call'),
    );
    // requests that need no roots do not wait
    await client.ping();
    order.push('answer');
    answer(offer(scene.at('a'))());
    expect((await outcome).failed).toBe(true);
    expect(order).toEqual(['answer', 'call']);
  });

  test('a client whose list of roots fails is served like one without roots', async () => {
    const fail = (): never => {
      throw new Error('no roots today');
    };
    const client = await scene.client({ revision, offers: fail });
    expect(await readable(client)).toEqual(['a', 'b']);
  });

  test('connections of one server are narrowed independently', async () => {
    const filesystem = scene.filesystem();
    const narrowed = await scene.join(filesystem, { revision, offers: offer(scene.at('a')) });
    const other = await scene.join(filesystem, { revision });
    const [first, second] = await Promise.all([readable(narrowed), readable(other)]);
    expect([first, second]).toEqual([['a'], ['a', 'b']]);
  });

  test('without an operator root the roots of the client are the boundary', async () => {
    let offered = offer(scene.at('a'), scene.outside)();
    const client = await scene.client({ revision, roots: [], offers: () => offered });
    expect(await readable(client)).toEqual(['a', 'outside']);
    offered = [];
    client.rootsChanged();
    expect(await readable(client)).toEqual([]);
  });

  test('without any root every error names the option that adds one', async () => {
    for (const setting of [{}, { offers: () => [] }]) {
      const client = await scene.client({ revision, roots: [], ...setting });
      for (const [tool, args] of [
        ['read_text_file', { path: 'a.txt' }],
        ['write_file', { path: 'a.txt', content: 'x' }],
        ['create_directory', { path: 'a' }],
      ] as const) {
        const { failed, text } = await call(client, tool, args);
        expect([failed, text.startsWith('nothing is allowed: ')]).toEqual([true, true]);
        expect(text).toContain(
          "name a folder on the server's command line, or let the client offer one as a root",
        );
      }
      expect((await call(client, 'list_allowed_directories')).failed).toBe(false);
    }
  });

  test('a client root that is a link to outside opens nothing outside', async () => {
    symlinkSync(scene.outside, scene.at('leak'));
    const client = await scene.client({ revision, offers: offer(scene.at('leak')) });
    expect(await readable(client)).not.toContain('outside');
  });

  test('a read-only operator root stays read-only under a client root', async () => {
    const roots = [{ path: scene.root, readOnly: true }];
    for (const offered of [scene.at('a'), scene.top]) {
      const client = await scene.client({ revision, roots, offers: offer(offered) });
      expect((await call(client, 'write_file', { path: scene.at('a/new.txt'), content: 'x' })).code).toBe(
        'read-only',
      );
    }
  });
});

inEveryRevision((revision) => {
  test('a missing operator root is served once it exists, and missing after its deletion', async () => {
    const late = join(scene.top, 'late');
    const client = await scene.client({ revision, roots: [{ path: late, readOnly: false }] });
    const read = () => call(client, 'read_text_file', { path: join(late, 'a.txt') });
    expect((await read()).failed).toBe(true);
    mkdirSync(late);
    writeFileSync(join(late, 'a.txt'), 'here now');
    expect((await read()).text).toBe('here now');
    expect((await client.listResources()).map(({ uri }) => uri)).toContain(uriOf(late));
    rmSync(late, { recursive: true });
    expect((await read()).failed).toBe(true);
    expect(await client.listResources()).toEqual([]);
  });

  test('a root that was replaced by a link to outside is not followed', async () => {
    const client = await scene.client({
      revision,
      roots: [
        { path: scene.at('a'), readOnly: false },
        { path: scene.root, readOnly: false },
      ],
    });
    expect((await call(client, 'read_text_file', { path: scene.at('a/one.txt') })).text).toBe('one');
    renameSync(scene.at('a'), scene.at('moved'));
    symlinkSync(scene.outside, scene.at('a'));
    expect((await call(client, 'read_text_file', { path: scene.at('a/secret.txt') })).failed).toBe(true);
  });

  test('list_allowed_directories returns the reason for the roots', async () => {
    const client = await scene.client({ revision });
    const { text, facts } = await call(client, 'list_allowed_directories');
    expect(text).toContain(scene.root);
    expect(text).toContain("the client offers no roots, so the operator's roots apply");
    if (structuredRevisions.includes(revision)) {
      expect(facts.roots).toEqual([
        { path: scene.root, uri: uriOf(scene.root), name: 'root', readOnly: false },
      ]);
      expect(facts.reason).toBe("the client offers no roots, so the operator's roots apply");
    }
  });
});

test('the reason for a stateless client that is not asked for roots does not claim that it has none', async () => {
  const client = await scene.client({ revision: newest, offers: () => [{ uri: uriOf(scene.root) }] });
  const { facts } = await call(client, 'list_allowed_directories');
  expect(facts.reason).toBe("the client is not asked for roots here, so the operator's roots apply");
});

whereStructured((revision) => {
  test.each([
    ['narrow', 'a folder inside', /the client's roots narrow the operator's roots/],
    ['narrow', 'a folder elsewhere', /elsewhere, so the operator's roots apply/],
    ['narrow', 'an empty list', /an empty list of roots, so the operator's roots apply/],
    ['strict', 'a folder elsewhere', /elsewhere, and only what both name is allowed/],
    ['ignore', 'a folder inside', /ignored, so the operator's roots apply/],
  ] as const)('%s: the reason for %s is returned', async (clientRoots, offered, reason) => {
    // in the stateless era only strict asks for roots
    if (revision === newest && clientRoots === 'narrow') return;
    const client = await scene.client({ revision, clientRoots, offers: offers[offered]! });
    expect((await call(client, 'list_allowed_directories')).facts.reason).toMatch(reason);
  });
});

test.each(['narrow', 'strict', 'ignore'] as const)(
  'temporary files of a killed server are removed after the next start, under %s',
  async (clientRoots) => {
    // of another machine, long ago
    const left = scene.put(
      `.rootbound-staging/.rootbound-elsewhere-1-${'0'.repeat(24)}.tmp`,
      'half of a file',
    );
    chmodSync(scene.at('.rootbound-staging'), 0o700);
    utimesSync(left, new Date(0), new Date(0));
    const gone = new Promise<void>((resolve) => {
      const watcher = watch(scene.root, () => !existsSync(scene.at('.rootbound-staging')) && resolve());
      scene.atEnd(async () => watcher.close());
    });
    scene.filesystem({ clientRoots });
    await gone;
    expect(scene.names()).toEqual(['a', 'b']);
  },
);

describe(`in ${newest}`, () => {
  const table: [Setting['clientRoots'], string, string[]][] = [
    ['narrow', 'no roots at all', all],
    ['narrow', 'a folder inside', all],
    ['strict', 'an empty list', []],
    ['strict', 'a folder elsewhere', []],
    ['strict', 'a folder inside', ['a']],
    ['strict', 'a folder that contains the root', all],
    ['strict', 'the top of the file system', all],
    ['strict', 'no roots at all', []],
    ['ignore', 'a folder inside', all],
  ];
  test.each(table)('%s: a client that offers %s may read %j', async (clientRoots, offered, expected) => {
    const list = offers[offered];
    const client = await scene.client({
      clientRoots: clientRoots!,
      ...(list !== undefined && { offers: list }),
    });
    expect(await readable(client)).toEqual(expected);
  });

  test('without an operator root the roots of the client are the boundary, call by call', async () => {
    let offered = offer(scene.at('a'))();
    const client = await scene.client({ roots: [], offers: () => offered });
    expect(await readable(client)).toEqual(['a']);
    offered = offer(scene.at('b'))();
    expect(await readable(client)).toEqual(['b']);
  });

  test('strict asks for roots by a round of tools/call, prompts/get and resources/read', async () => {
    const uri = uriOf(scene.at('a/one.txt'));
    const requests: [string, Record<string, unknown>][] = [
      ['tools/call', { name: 'read_text_file', arguments: { path: scene.at('a/one.txt') } }],
      ['prompts/get', { name: 'explore', arguments: {} }],
      ['resources/read', { uri }],
    ];
    const wire = scene.wire({ clientRoots: 'strict' });
    for (const [method, params] of requests) {
      const _meta = stateless({ roots: {} });
      const { result: asked } = await wire.request(method, { ...params, _meta });
      expect(asked, method).toMatchObject({
        resultType: 'input_required',
        inputRequests: { client_roots: { method: 'roots/list' } },
        requestState: expect.any(String),
      });
      const { result: answered } = await wire.request(method, {
        ...params,
        _meta,
        requestState: asked!.requestState,
        inputResponses: { client_roots: { roots: offer(scene.at('a'))() } },
      });
      expect(answered, method).toMatchObject({ resultType: 'complete' });
      expect(answered!.isError, method).toBeUndefined();
    }
  });

  test('lists, completion and subscriptions never ask', async () => {
    const wire = scene.wire({ clientRoots: 'strict' });
    const _meta = stateless({ roots: {} });
    for (const [method, params] of [
      ['tools/list', {}],
      ['prompts/list', {}],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      [
        'completion/complete',
        { ref: { type: 'ref/resource', uri: 'file:///{+path}' }, argument: { name: 'path', value: '' } },
      ],
    ] as const) {
      expect((await wire.request(method, { ...params, _meta })).result, method).toMatchObject({
        resultType: 'complete',
      });
    }
  });

  test('lists, completion and subscriptions use the roots of the operator, also under strict', async () => {
    const wire = scene.wire({ clientRoots: 'strict' });
    const _meta = stateless({ roots: {} });
    const { result: listed } = await wire.request('resources/list', { _meta });
    expect(listed!.resources).toContainEqual(expect.objectContaining({ uri: uriOf(scene.root) }));
    wire.ask('subscriptions/listen', {
      notifications: { resourceSubscriptions: [uriOf(scene.at('a'))] },
      _meta,
    });
    const { params } = await wire.until(({ method }) => method?.startsWith('notifications/') === true);
    expect(params).toMatchObject({ notifications: { resourceSubscriptions: [uriOf(scene.at('a'))] } });
  });

  test('a client that cannot be asked is refused with the option that adds a root', async () => {
    const wire = scene.wire({ roots: [] });
    const params = { name: 'read_text_file', arguments: { path: 'a.txt' }, _meta: stateless() };
    const { result } = await wire.request('tools/call', params);
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toContain("name a folder on the server's command line");
  });

  test('a request state is valid for its own call only', async () => {
    const wire = scene.wire({ clientRoots: 'strict' });
    const _meta = stateless({ roots: {} });
    const params = (path: string) => ({ name: 'read_text_file', arguments: { path }, _meta });
    const { result } = await wire.request('tools/call', params(scene.at('a/one.txt')));
    const { error } = await wire.request('tools/call', {
      ...params(scene.at('b/two.txt')),
      requestState: result!.requestState,
      inputResponses: { client_roots: { roots: offer(scene.at('b'))() } },
    });
    expect(error).toMatchObject({ code: -32602 });
  });

  test('an answer without a list of roots is refused and nothing is read', async () => {
    const wire = scene.wire({ clientRoots: 'strict' });
    const _meta = stateless({ roots: {} });
    const params = { name: 'read_text_file', arguments: { path: scene.at('a/one.txt') }, _meta };
    const { result } = await wire.request('tools/call', params);
    for (const answer of [{}, { roots: 'all' }, { roots: [null] }, { roots: [{ uri: 1 }] }]) {
      const again = {
        ...params,
        requestState: result!.requestState,
        inputResponses: { client_roots: answer },
      };
      const { error, result: read } = await wire.request('tools/call', again);
      expect(error !== undefined || read?.isError === true, JSON.stringify(answer)).toBe(true);
      expect(scene.faults, JSON.stringify(answer)).toEqual([]);
    }
  });
});
