import { expect, test } from 'vitest';
import { handshakeRevisions } from '../../src/protocol/revisions.ts';
import { everywhere, shakeHands } from './matrix.ts';

const initialize = (version: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: version, capabilities: {}, clientInfo: { name: 'tester', version: '1.0.0' } },
  });

const stateless = (method: string, meta: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta: meta } });

const keys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  info: 'io.modelcontextprotocol/clientInfo',
  level: 'io.modelcontextprotocol/logLevel',
};

everywhere(
  ({ raw, open, line, call, revision }) => {
    test('initialize returns the requested revision and its capabilities', async () => {
      const answer = await raw().ask(initialize(revision));
      expect(answer.result).toMatchObject({
        protocolVersion: revision,
        serverInfo: { name: 'fixture', version: '1.2.3' },
        instructions: 'Add numbers.',
      });
      expect('title' in answer.result.serverInfo).toBe(revision >= '2025-06-18');
      expect('icons' in answer.result.serverInfo).toBe(revision >= '2025-11-25');
      expect('completions' in answer.result.capabilities).toBe(revision >= '2025-03-26');
    });

    test('ping is answered before initialize and after', async () => {
      const talk = raw();
      expect((await talk.ask('{"jsonrpc":"2.0","id":0,"method":"ping"}')).result).toEqual({});
      await shakeHands(talk, revision, {});
      expect((await talk.ask('{"jsonrpc":"2.0","id":2,"method":"ping"}')).result).toEqual({});
    });

    test('other requests before initialize are refused with the next step', async () => {
      const talk = raw();
      for (const method of ['tools/list', 'tools/call', 'logging/setLevel', 'resources/subscribe']) {
        const { error } = await talk.ask(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":{}}`);
        expect(error.code).toBe(-32602);
        expect(error.message).toContain('initialize');
      }
      expect((await talk.ask(initialize(revision))).result.protocolVersion).toBe(revision);
    });

    test('requests between the response and notifications/initialized are served, as real clients send them', async () => {
      const talk = raw();
      await talk.ask(initialize(revision));
      expect((await talk.ask(line(2, 'logging/setLevel', { level: 'error' }))).result).toEqual({});
    });

    test('a second initialize is refused and the session continues', async () => {
      const talk = await open();
      expect((await talk.ask(initialize(revision))).error.code).toBe(-32600);
      expect((await talk.ask(call(2, 'echo', { text: 'x' }))).id).toBe(2);
    });

    test('an initialize without its members is refused and can be repeated', async () => {
      const talk = raw();
      for (const params of [
        '{}',
        '{"protocolVersion":5}',
        `{"protocolVersion":"${revision}","capabilities":{}}`,
      ]) {
        const { error } = await talk.ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":${params}}`);
        expect(error.code).toBe(-32602);
      }
      expect((await talk.ask(initialize(revision))).result.protocolVersion).toBe(revision);
    });

    test('a stateless request is served in the same session', async () => {
      const talk = await open();
      const answer = await talk.ask(
        stateless('tools/call', { [keys.version]: '2026-07-28', [keys.capabilities]: {} }).replace(
          '"params":{',
          '"params":{"name":"add","arguments":{"a":1,"b":2},',
        ),
      );
      expect(answer.result).toMatchObject({ resultType: 'complete', structuredContent: { sum: 3 } });
    });

    test('methods of the other era are unknown', async () => {
      const talk = await open();
      for (const method of ['server/discover', 'subscriptions/listen']) {
        expect((await talk.ask(line(1, method))).error.code).toBe(-32601);
      }
    });

    test('progress is sent only with a token, only increasing, and before the response', async () => {
      const talk = await open();
      talk.say(call(1, 'steps', { values: [1, 5, 3] }, { progressToken: 'p' }));
      const heard = [];
      for (let message = await talk.next(); message.id !== 1; message = await talk.next())
        heard.push(message.params);
      const message = revision === '2024-11-05' ? {} : { message: expect.any(String) };
      expect(heard).toEqual([
        { progressToken: 'p', progress: 1, total: 1, ...message },
        { progressToken: 'p', progress: 5, total: 5, ...message },
      ]);
      expect((await talk.ask(call(2, 'steps', { values: [1, 2] }))).id).toBe(2);
    });

    test('log messages are sent from the configured level on', async () => {
      const talk = await open();
      await talk.ask(line(1, 'logging/setLevel', { level: 'debug' }));
      talk.say(call(2, 'say'));
      expect([(await talk.next()).params, (await talk.next()).params]).toEqual([
        { level: 'debug', data: 'low', logger: 'fixture' },
        { level: 'warning', data: { high: true } },
      ]);
      await talk.answer(2);
      await talk.ask(line(3, 'logging/setLevel', { level: 'emergency' }));
      expect((await talk.ask(call(4, 'say'))).id).toBe(4);
      expect((await talk.ask(line(5, 'logging/setLevel', { level: 'loud' }))).error.code).toBe(-32602);
    });

    test('an update is sent for a subscribed resource, until it is unsubscribed', async () => {
      const talk = await open();
      const uri = 'memo://today';
      expect((await talk.ask(line(1, 'resources/subscribe', { uri }))).result).toEqual({});
      talk.say(call(2, 'touch', { uri }));
      expect(await talk.next()).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { uri },
      });
      await talk.answer(2);
      await talk.ask(line(3, 'resources/unsubscribe', { uri }));
      expect((await talk.ask(call(4, 'touch', { uri }))).id).toBe(4);
    });

    test('a resource that cannot be watched is the same error for two concurrent requests', async () => {
      const talk = await open();
      const [first, second] = [1, 2].map((id) => line(id, 'resources/subscribe', { uri: 'other://nothing' }));
      talk.say(`${first}\n${second}`);
      const errors = [(await talk.next()).error, (await talk.next()).error];
      expect(errors[1]).toEqual(errors[0]);
      expect(errors[0].code).not.toBe(-32603);
    });

    test('a resource subscribed to twice is reported once, and one that cannot be watched is an error', async () => {
      const talk = await open();
      const uri = 'memo://today';
      await talk.ask(line(1, 'resources/subscribe', { uri }));
      await talk.ask(line(2, 'resources/subscribe', { uri }));
      talk.say(call(3, 'touch', { uri }));
      await talk.answer(3);
      expect(
        talk.heard.filter((message) => message.method === 'notifications/resources/updated'),
      ).toHaveLength(1);
      expect((await talk.ask(line(4, 'resources/subscribe', { uri: 'other://x' }))).error.code).toBe(-32002);
      expect((await talk.ask(line(5, 'resources/subscribe', {}))).error.code).toBe(-32602);
      expect((await talk.ask(line(6, 'resources/unsubscribe', { uri: 'memo://never' }))).result).toEqual({});
    });

    test('changes of lists are sent without a subscription', async () => {
      const talk = await open();
      for (const list of ['tools', 'resources', 'prompts']) {
        talk.say(call(list, 'announce', { list }));
        expect((await talk.next()).method).toBe(`notifications/${list}/list_changed`);
        await talk.answer(list);
      }
    });

    test('bad arguments are a failed result from 2025-11-25 on and an error before', async () => {
      const talk = await open();
      const answer = await talk.ask(call(1, 'add', { a: 'one', b: 2 }));
      if (revision === '2025-11-25') expect(answer.result.isError).toBe(true);
      else expect(answer.error.code).toBe(-32602);
    });
  },
  { revisions: handshakeRevisions, processes: ['2024-11-05', '2025-11-25'] },
);

everywhere(
  ({ raw }) => {
    test('an unknown revision is answered with the newest handshake revision', async () => {
      expect((await raw().ask(initialize('1999-01-01'))).result.protocolVersion).toBe('2025-11-25');
      expect((await raw().ask(initialize('2026-07-28'))).result.protocolVersion).toBe('2025-11-25');
    });
  },
  { revisions: ['2025-11-25'] },
);

everywhere(
  ({ raw, line, call }) => {
    const open = raw;

    test('server/discover returns versions, capabilities and the server info', async () => {
      const { result } = await open().ask(line(1, 'server/discover'));
      expect(result).toEqual({
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: {
          tools: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
          prompts: { listChanged: true },
          completions: {},
          logging: {},
        },
        instructions: 'Add numbers.',
        ttlMs: 60_000,
        cacheScope: 'private',
        _meta: { 'io.modelcontextprotocol/serverInfo': expect.objectContaining({ name: 'fixture' }) },
      });
    });

    test('requests are served on a connection without a handshake', async () => {
      expect((await open().ask(call(1, 'add', { a: 1, b: 2 }))).result.structuredContent).toEqual({ sum: 3 });
    });

    test('an initialize after a probe starts a session', async () => {
      const talk = open();
      await talk.ask(line(0, 'server/discover'));
      talk.revision = '2025-06-18';
      expect((await talk.ask(initialize('2025-06-18'))).result.protocolVersion).toBe('2025-06-18');
    });

    test('an unsupported version is refused with the supported ones', async () => {
      for (const version of ['2027-01-01', '2025-11-25', '', 'x']) {
        const bad = stateless('tools/list', { [keys.version]: version, [keys.capabilities]: {} });
        const { error } = await open().ask(bad);
        expect([error.code, error.data]).toEqual([-32022, { supported: ['2026-07-28'], requested: version }]);
      }
    });

    test.each([
      ['no capabilities', { [keys.version]: '2026-07-28' }, keys.capabilities],
      [
        'capabilities that are no object',
        { [keys.version]: '2026-07-28', [keys.capabilities]: [] },
        keys.capabilities,
      ],
      ['a version that is no string', { [keys.version]: 5, [keys.capabilities]: {} }, keys.version],
      [
        'a client without a version',
        { [keys.version]: '2026-07-28', [keys.capabilities]: {}, [keys.info]: { name: 'x' } },
        keys.info,
      ],
      [
        'an unknown log level',
        { [keys.version]: '2026-07-28', [keys.capabilities]: {}, [keys.level]: 'loud' },
        keys.level,
      ],
      ['no version', { [keys.capabilities]: {} }, keys.version],
    ])('a request with %s is refused with the name of the key', async (_what, meta, key) => {
      const { error } = await open().ask(stateless('tools/list', meta));
      expect(error.code).toBe(-32602);
      expect(error.message).toContain(key);
    });

    test('methods of the other era are unknown', async () => {
      const talk = open();
      for (const method of [
        'ping',
        'logging/setLevel',
        'resources/subscribe',
        'resources/unsubscribe',
        'initialize',
      ]) {
        expect((await talk.ask(line(1, method))).error.code).toBe(-32601);
      }
    });

    test('progress is sent only with a token, only increasing, and before the response', async () => {
      const talk = open();
      talk.say(call(1, 'steps', { values: [1, 5, 3] }, { progressToken: 7 }));
      const heard = [];
      for (let message = await talk.next(); message.id !== 1; message = await talk.next())
        heard.push(message.params.progress);
      expect(heard).toEqual([1, 5]);
      expect((await talk.ask(call(2, 'steps', { values: [1, 2] }))).id).toBe(2);
      expect((await talk.ask(call(3, 'steps', { values: [] }, { progressToken: 1.5 }))).error.code).toBe(
        -32602,
      );
    });

    test('log messages are sent for the request that asked for a level, and for no other', async () => {
      const talk = open();
      talk.say(call(1, 'say', {}, { [keys.level]: 'info' }));
      expect((await talk.next()).params).toMatchObject({ level: 'warning', data: { high: true } });
      expect((await talk.next()).id).toBe(1);
      expect((await talk.ask(call(2, 'say'))).id).toBe(2);
    });

    test('capabilities of one request are not stored for the next', async () => {
      const talk = open();
      const asking = call(1, 'deploy', { env: 'prod' }).replace(
        `"${keys.capabilities}":{}`,
        `"${keys.capabilities}":{"elicitation":{}}`,
      );
      expect((await talk.ask(asking)).result.resultType).toBe('input_required');
      const { error } = await talk.ask(call(2, 'deploy', { env: 'prod' }));
      expect([error.code, error.data]).toEqual([
        -32021,
        { requiredCapabilities: { elicitation: { form: {} } } },
      ]);
    });

    test('a modified state, or one of another call, is refused with one text', async () => {
      const talk = open();
      const elicits = (text: string): string =>
        text.replace(`"${keys.capabilities}":{}`, `"${keys.capabilities}":{"elicitation":{}}`);
      const first = await talk.ask(elicits(call(1, 'deploy', { env: 'prod' })));
      const { requestState, inputRequests } = first.result;
      const [key] = Object.keys(inputRequests);
      const retry = (id: number, state: string, env: string): string =>
        elicits(
          line(id, 'tools/call', {
            name: 'deploy',
            arguments: { env },
            requestState: state,
            inputResponses: { [key!]: { action: 'accept', content: { confirm: true } } },
          }),
        );
      const texts = new Set<string>();
      for (const [state, env] of [
        [`x${requestState}`, 'prod'],
        [requestState.slice(0, -4), 'prod'],
        ['', 'prod'],
        [requestState, 'test'],
      ]) {
        const { error } = await talk.ask(retry(2, state, env));
        expect(error.code).toBe(-32602);
        texts.add(error.message);
      }
      expect(texts.size).toBe(1);
      expect((await talk.ask(retry(3, requestState, 'prod'))).result.content[0].text).toBe('deployed');
    });

    test('a listen stream is acknowledged first, tagged, and gets only the requested changes', async () => {
      const talk = open();
      const uri = 'memo://today';
      talk.say(
        line('L', 'subscriptions/listen', {
          notifications: { toolsListChanged: true, resourceSubscriptions: [uri, 'other://x'] },
        }),
      );
      const tag = { 'io.modelcontextprotocol/subscriptionId': 'L' };
      expect(await talk.next()).toMatchObject({
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: { toolsListChanged: true, resourceSubscriptions: [uri] }, _meta: tag },
      });
      talk.say(call(1, 'touch', { uri }));
      expect(await talk.next()).toMatchObject({
        method: 'notifications/resources/updated',
        params: { uri, _meta: tag },
      });
      await talk.answer(1);
      talk.say(call(2, 'announce', { list: 'tools' }));
      expect(await talk.next()).toMatchObject({
        method: 'notifications/tools/list_changed',
        params: { _meta: tag },
      });
      await talk.answer(2);
      expect((await talk.ask(call(3, 'announce', { list: 'prompts' }))).id).toBe(3);
      expect((await talk.ask(call(4, 'touch', { uri: 'memo://bytes' }))).id).toBe(4);
    });

    test('two listen streams have different tags, and a cancelled one is silent', async () => {
      const talk = open();
      const listen = (id: string | number): string =>
        line(id, 'subscriptions/listen', { notifications: { promptsListChanged: true } });
      await talk.ask(listen(5));
      await talk.ask(listen('five'));
      talk.say(call(1, 'announce', { list: 'prompts' }));
      const tags = [(await talk.next()).params._meta, (await talk.next()).params._meta].map(
        (meta) => meta['io.modelcontextprotocol/subscriptionId'],
      );
      expect(tags).toEqual([5, 'five']);
      await talk.answer(1);
      talk.say('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}');
      talk.say(call(2, 'announce', { list: 'prompts' }));
      expect((await talk.next()).params._meta['io.modelcontextprotocol/subscriptionId']).toBe('five');
      expect((await talk.next()).id).toBe(2);
    });

    test('a listen request without a filter is refused', async () => {
      const talk = open();
      for (const params of [
        {},
        { notifications: [] },
        { notifications: { toolsListChanged: 'yes' } },
        { notifications: { resourceSubscriptions: [1] } },
      ]) {
        expect((await talk.ask(line(1, 'subscriptions/listen', params))).error.code).toBe(-32602);
      }
    });

    test('listen streams end with their results when the client closes its side', async () => {
      const talk = open();
      await talk.ask(line('L', 'subscriptions/listen', { notifications: { toolsListChanged: true } }));
      const heard = await talk.finish();
      const result = heard.find((message) => message.id === 'L');
      expect(result.result).toMatchObject({
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/subscriptionId': 'L' },
      });
    });

    test('nothing is sent without a request', async () => {
      const talk = open();
      for (const list of ['tools', 'resources', 'prompts']) {
        expect((await talk.ask(call(list, 'announce', { list }))).id).toBe(list);
      }
    });

    test('bad arguments are a failed result', async () => {
      expect((await open().ask(call(1, 'add', { a: 'one', b: 2 }))).result.isError).toBe(true);
    });
  },
  { revisions: ['2026-07-28'] },
);
