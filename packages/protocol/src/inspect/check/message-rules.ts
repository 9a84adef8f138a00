import type { Params } from '../../jsonrpc/message.ts';
import { given, holds } from './finding.ts';
import { describe } from './listing.ts';
import type { Rules } from './rules.ts';
import type { Scene } from './scene.ts';
import { renderMessage } from './transcript-rules.ts';

/** Sends a request with an additional member. */
async function toleratesMembers({ talk }: Scene): Promise<void> {
  const method = talk.era === 'handshake' ? 'ping' : 'server/discover';
  const { error, result } = await talk.ask(method, { 'example.com/extra': { deep: [1] } });
  holds(
    result !== undefined,
    `${method} with an additional member was answered with ${describe({ error, result })}`,
  );
}

/** Sends a notification and checks that there is no response. */
async function staysUnanswered({ talk }: Scene, method: string, params?: Params): Promise<void> {
  const before = talk.heard.length;
  await talk.notify(method, params);
  const fences = [await talk.fence(), await talk.fence()].map(({ response }) => response);
  const answer = talk.heard
    .slice(before)
    .find((message) => message.method === undefined && !fences.includes(message));
  holds(answer === undefined, `${method} was answered with ${renderMessage(answer)}`);
}

/** The rules for requests, notifications, batches and invalid messages. */
export const messageRules: Rules = {
  'jsonrpc/response-id-keeps-type': async ({ talk }) => {
    for (const id of ['inspect-1', 770_001]) {
      const { response } = await talk.fence({ id });
      holds(
        response !== undefined,
        `a request with the id ${JSON.stringify(id)} got no response with that id`,
      );
    }
  },
  'jsonrpc/error-response-echoes-request-id': async ({ talk }) => {
    const { error } = await talk.ask('inspect/no-such-method', {}, { id: 'inspect-2' });
    holds(error !== undefined, 'a request for an unknown method got no error with its id');
  },
  'jsonrpc/finished-request-id-may-be-reused': async ({ talk }) => {
    await talk.fence({ id: 'inspect-3' });
    const { error, result } = await talk.fence({ id: 'inspect-3' });
    holds(result !== undefined, `a reused id was answered with ${describe({ error, result })}`);
  },
  'jsonrpc/no-response-to-notification': (scene) => {
    const params = { requestId: 'inspect-none', reason: 'the client cancelled it' };
    return staysUnanswered(scene, 'notifications/cancelled', params);
  },
  'jsonrpc/unknown-notification-not-answered': (scene) =>
    staysUnanswered(scene, 'notifications/inspect/unheard'),
  'jsonrpc/parse-error-32700': async ({ talk }) => {
    const { error, result } = await talk.sendText('{"jsonrpc":"2.0","id":');
    holds(error?.code === -32700, `invalid JSON was answered with ${describe({ error, result })}`);
  },
  'jsonrpc/invalid-request-32600': async ({ talk }) => {
    const { error, result } = await talk.sendInvalid({ id: 'inspect-4', method: 7 });
    // over HTTP the header has another method, and the server may report that first
    const isMismatch = error?.code === -32020 && talk.era === 'stateless';
    holds(
      error?.code === -32600 || isMismatch,
      `a method that is a number was answered with ${describe({ error, result })}`,
    );
  },
  'jsonrpc/method-not-found-32601': async ({ talk }) => {
    const { error, result } = await talk.ask('inspect/no-such-method');
    holds(error?.code === -32601, `an unknown method was answered with ${describe({ error, result })}`);
  },
  'jsonrpc/invalid-params-32602': async (scene) => {
    const capability = (['tools', 'resources', 'prompts'] as const).find((one) => scene.has(one));
    given(capability !== undefined, 'the server has neither tools nor resources nor prompts');
    const { error, result } = await scene.talk.ask(`${capability}/list`, { cursor: 7 });
    const answer = describe({ error, result });
    holds(error?.code === -32602, `${capability}/list with a number as cursor was answered with ${answer}`);
  },
  'jsonrpc/extra-members-tolerated': toleratesMembers,
  'jsonrpc/unadvertised-feature-answered-32601': async (scene) => {
    const lacking = (['tools', 'resources', 'prompts'] as const).filter((one) => !scene.has(one));
    given(lacking.length > 0, 'the server has tools, resources and prompts');
    for (const one of lacking) {
      const { error, result } = await scene.talk.ask(`${one}/list`);
      holds(error?.code === -32601, `${one}/list was answered with ${describe({ error, result })}`);
    }
  },
  'jsonrpc/batch-arrays-not-supported': async ({ talk }) => {
    const { result } = await talk.sendText(batchOf(talk.era));
    holds(result === undefined, 'a batch was answered with results');
  },
  'batching/batch-array-received-is-invalid-request': async ({ talk }) => {
    const { error, result, http } = await talk.sendText(batchOf(talk.era));
    holds(result === undefined, 'a batch was answered with results');
    const refused = error?.code === -32600 || (http !== undefined && http.status >= 400);
    holds(refused, `a batch was answered with ${describe({ error, result })}`);
  },
  'batching/receiving-batches-supported': async ({ talk }) => {
    const { error, result } = await talk.sendText(batchOf(talk.era));
    const answers = talk.heard.filter(({ id }) => id === 'batch-1' || id === 'batch-2');
    holds(answers.length > 0, `a batch was answered with ${describe({ error, result })}`);
  },
  'batching/one-response-per-batched-request': async ({ talk }) => {
    const ids = ['batch-3', 'batch-4'];
    await talk.sendText(batchOf(talk.era, ids));
    await talk.fence();
    for (const wanted of ids) {
      const { length } = talk.heard.filter(({ id }) => id === wanted);
      holds(length === 1, `a request of a batch got ${length} responses`);
    }
  },
  'base/removed-methods-answered-as-unknown': async ({ talk }) => {
    for (const method of ['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']) {
      const { error, result } = await talk.ask(method);
      holds(error?.code === -32601, `${method} was answered with ${describe({ error, result })}`);
    }
  },
  'ping/answered-promptly-with-empty-result': async ({ talk }) => {
    const { error, result } = await talk.ask('ping');
    holds(result !== undefined, `ping was answered with ${describe({ error, result })}`);
    const members = Object.keys(result).filter((key) => key !== '_meta');
    holds(members.length === 0, `the result of ping has ${members.join(', ')}`);
  },
};

function batchOf(era: string, ids = ['batch-1', 'batch-2']): string {
  const method = era === 'handshake' ? 'ping' : 'server/discover';
  return JSON.stringify(ids.map((id) => ({ jsonrpc: '2.0', id, method })));
}
