import type { ClientOptions } from '@rootbound/protocol/client';
import type { Message } from '../message.ts';
import type { Script } from './script.ts';
import type { World } from './world.ts';

/** Options of a client that answers every request of a server. */
export function everything(): Pick<ClientOptions, 'roots' | 'sampling' | 'elicitation'> {
  return {
    roots: () => [{ uri: 'file:///work', name: 'work' }],
    sampling: {
      tools: true,
      context: true,
      createMessage: () => ({ role: 'assistant', model: 'tiny', content: { type: 'text', text: 'because' } }),
    },
    elicitation: (params) =>
      params.mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { name: 'Ann' } },
  };
}

/** All server capabilities. */
export const capable = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

/** Answers to every request of a client. */
export function answers(
  done: (result: object) => object,
): Record<string, (message: Message) => object | undefined> {
  const content = [{ type: 'text', text: 'x' }];
  return {
    'tools/list': () => done({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
    'tools/call': () => done({ content }),
    'resources/list': () => done({ resources: [{ uri: 'memo://a', name: 'a' }] }),
    'resources/templates/list': () =>
      done({ resourceTemplates: [{ uriTemplate: 'memo://{day}', name: 'day' }] }),
    'resources/read': ({ params }) => done({ contents: [{ uri: params.uri, text: 'x' }] }),
    'resources/subscribe': () => ({}),
    'resources/unsubscribe': () => ({}),
    'prompts/list': () => done({ prompts: [{ name: 'greet' }] }),
    'prompts/get': () => done({ messages: [{ role: 'user', content: content[0] }] }),
    'completion/complete': () => done({ completion: { values: ['a'] } }),
    'logging/setLevel': () => ({}),
    'subscriptions/listen': () => undefined,
  };
}

/** Returns a scripted server after its client has used every feature of the revision. */
export async function tour(world: World): Promise<Script> {
  const script: Script = world.script({
    capabilities: capable,
    answers: answers((result) => script.done(result)),
  });
  const client = await script.connect({ ...everything(), logLevel: 'info' });
  await client.listTools();
  await client.callTool('echo', { text: 'x' }, { onProgress: () => {} });
  await client.listResources();
  await client.listResourceTemplates();
  await client.readResource('memo://a');
  await client.listPrompts();
  await client.getPrompt('greet', { who: 'Ann' });
  await client.complete({ type: 'ref/prompt', name: 'greet' }, { name: 'who', value: 'A' });
  if (world.stateless) {
    const listening = client.onListChanged('tools', () => {});
    const { id } = await script.awaitMessage('subscriptions/listen');
    script.say({
      method: 'notifications/subscriptions/acknowledged',
      params: {
        notifications: { toolsListChanged: true },
        _meta: { 'io.modelcontextprotocol/subscriptionId': id },
      },
    });
    await (await listening).close();
  } else {
    await client.ping();
    await client.setLogLevel('warning');
    await (await client.subscribe('memo://a', () => {})).close();
    client.rootsChanged();
    await script.ask('roots', 'roots/list');
    await script.ask('sampling', 'sampling/createMessage', { messages: [], maxTokens: 1 });
    await script.ask('ping', 'ping');
    if (world.revision >= '2025-06-18') {
      const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
      await script.ask('form', 'elicitation/create', { message: 'Who?', requestedSchema });
    }
  }
  const cancelled = new AbortController();
  const call = client.callTool('echo', {}, { signal: cancelled.signal });
  cancelled.abort();
  await call.catch(() => {});
  await client.listTools();
  return script;
}
