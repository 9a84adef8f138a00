import type { Message } from '../message.ts';
import type { Talk } from './talk.ts';
import type { World } from './world.ts';

/** All client capabilities. */
export const everything = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
};

/** Answers every request of the fixture. */
export function person({ method, params }: Message): object {
  if (method === 'roots/list') return { roots: [{ uri: 'file:///work', name: 'work' }] };
  if (method === 'sampling/createMessage')
    return {
      role: 'assistant',
      model: 'tiny',
      content: { type: 'text', text: 'because' },
      stopReason: 'endTurn',
    };
  if (params.mode === 'url') return { action: 'accept' };
  return { action: 'accept', content: { name: 'Ann', confirm: true } };
}

/** Returns a talk that has used every feature of the revision. */
export async function tour(world: World): Promise<Talk> {
  const talk = await world.open(undefined, { capabilities: everything });
  if (!world.stateless) {
    const { id } = await talk.awaitMessage('roots/list');
    talk.reply(id, person({ method: 'roots/list' }));
    await talk.request('ping');
    await talk.request('logging/setLevel', { level: 'debug' });
    await talk.request('resources/subscribe', { uri: 'memo://today' });
  } else {
    await talk.request('server/discover');
    talk.start('subscriptions/listen', { notifications: { toolsListChanged: true } });
    await talk.awaitMessage('notifications/subscriptions/acknowledged');
  }
  for (const list of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])
    await talk.request(list);
  await talk.request('resources/read', { uri: 'memo://today' });
  await talk.request('resources/read', { uri: 'memo://bytes' });
  await talk.request('prompts/get', { name: 'greet', arguments: { who: 'Ann' } });
  await talk.request('prompts/get', { name: 'show' });
  const argument = { name: 'who', value: 'A' };
  await talk.request('completion/complete', { ref: { type: 'ref/prompt', name: 'greet' }, argument });
  await talk.call('add', { a: 1, b: 2 });
  await talk.call('everything');
  await talk.call('fail');
  const level = { 'io.modelcontextprotocol/logLevel': 'debug' };
  await talk.call('say', { level: 'error', data: { disk: 'full' } }, world.stateless ? level : {});
  await talk.call('steps', { values: [1, 2], total: 2 }, { progressToken: 'steps' });
  await talk.settleCall('where', {}, person);
  await talk.settleCall('think', {}, person);
  if (world.revision >= '2025-06-18') await talk.settleCall('register', {}, person);
  if (world.revision >= '2025-11-25') await talk.settleCall('visit', {}, person);
  await talk.call('touch', { uri: 'memo://today' });
  await talk.call('announce', { list: 'tools' });
  await talk.settled();
  return talk;
}

/** Returns the error responses to all kinds of invalid requests. */
export async function refusals(world: World): Promise<Message[]> {
  const talk = await world.open();
  const wrong = [
    '{"jsonrpc":"2.0",',
    '"text"',
    '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":2,"method":7}',
    '{"jsonrpc":"2.0","id":3}',
    talk.line('unknown method', 'no/such/method'),
    talk.line('retired method', 'tasks/result'),
    talk.line('tool', 'tools/call', { name: 'none' }),
    talk.line('no name', 'tools/call', {}),
    talk.line('arguments', 'tools/call', { name: 'add', arguments: [] }),
    talk.line('resource', 'resources/read', { uri: 'memo://none' }),
    talk.line('template', 'resources/read', { uri: 'memo://days/never' }),
    talk.line('no uri', 'resources/read', {}),
    talk.line('prompt', 'prompts/get', { name: 'none' }),
    talk.line('argument', 'prompts/get', { name: 'greet' }),
    talk.line('cursor', 'tools/list', { cursor: 'foreign' }),
    talk.line('completion', 'completion/complete', {
      ref: { type: 'ref/prompt', name: 'none' },
      argument: { name: 'a', value: '' },
    }),
    talk.line('token', 'tools/list', {}, { progressToken: {} }),
    ...(world.stateless
      ? [
          talk.line('version', 'tools/list', {}, { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }),
          talk.line('capability', 'tools/call', { name: 'register', arguments: {} }),
          talk.line('level', 'tools/list', {}, { 'io.modelcontextprotocol/logLevel': 'loud' }),
          talk.line('state', 'tools/call', {
            name: 'deploy',
            arguments: { env: 'x' },
            requestState: 'forged',
          }),
          talk.line('listen', 'subscriptions/listen', {}),
        ]
      : [talk.line('level', 'logging/setLevel', { level: 'loud' }), talk.line('twice', 'initialize', {})]),
  ];
  const answers: Message[] = [];
  for (const line of wrong) answers.push(await talk.ask(line));
  return answers;
}
