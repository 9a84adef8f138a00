import { expect } from 'vitest';
import { stateless } from '../revisions.ts';
import { everything } from './tour.ts';
import { over } from './world.ts';

const state = ' opaque=={"a":1}\\u0000é\n';
const roots = { method: 'roots/list' };
const confirm = {
  method: 'elicitation/create',
  params: { message: 'Sure?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
};

over(
  stateless,
  'a call that requires input is repeated with the responses and the exact state',
  async ({ script, proves }) => {
    const answers: object[] = [
      { resultType: 'input_required', inputRequests: { 'a key': roots, b: confirm }, requestState: state },
      { resultType: 'input_required', inputRequests: { c: roots } },
      { resultType: 'input_required', requestState: 'only state' },
      { resultType: 'complete', content: [] },
    ];
    const server = script({ capabilities: { tools: {} }, answers: { 'tools/call': () => answers.shift() } });
    const client = await server.connect(everything());
    await client.callTool('deploy', { env: 'prod' });
    const sent = server.all('tools/call');
    const [, second, third, fourth] = sent.map(({ params }) => params);
    proves('2026-07-28/mrtr/input-responses-use-the-request-keys', () =>
      expect(second.inputResponses).toEqual({
        'a key': { roots: [{ uri: 'file:///work', name: 'work' }] },
        b: { action: 'accept', content: { name: 'Ann' } },
      }),
    );
    proves('2026-07-28/mrtr/inputs-constructed-before-retry', () =>
      expect(Object.keys(second.inputResponses)).toEqual(['a key', 'b']),
    );
    proves('2026-07-28/mrtr/request-state-echoed-exactly', () => expect(second.requestState).toBe(state));
    proves('2026-07-28/mrtr/request-state-not-inspected-or-modified', () =>
      expect([second.requestState, fourth.requestState]).toEqual([state, 'only state']),
    );
    proves('2026-07-28/mrtr/no-request-state-when-none-received', () =>
      expect('requestState' in third).toBe(false),
    );
    proves('2026-07-28/mrtr/retry-has-a-new-request-id', () =>
      expect(new Set(sent.map(({ id }) => id)).size).toBe(4),
    );
    proves('2026-07-28/mrtr/retry-repeats-original-parameters', () => {
      for (const { method, params } of sent)
        expect([method, params.name, params.arguments]).toEqual(['tools/call', 'deploy', { env: 'prod' }]);
    });
    proves('2026-07-28/mrtr/inputs-and-state-used-only-for-that-retry', () => {
      expect(Object.keys(third.inputResponses)).toEqual(['c']);
      expect('inputResponses' in fourth).toBe(false);
    });
  },
);

over(stateless, 'a later call has no state of an earlier one', async ({ script }) => {
  let calls = 0;
  const server = script({
    capabilities: { tools: {} },
    answers: {
      'tools/call': () =>
        calls++ === 0 ? { resultType: 'input_required', requestState: state } : server.done({ content: [] }),
    },
  });
  const client = await server.connect();
  await client.callTool('a');
  await client.callTool('a');
  expect(server.all('tools/call').map(({ params }) => params.requestState)).toEqual([
    undefined,
    state,
    undefined,
  ]);
});
