// a server on standard streams for tests of the client: logs its events on stderr; its arguments select deviations
const habits = new Set(process.argv.slice(2));
const serverInfo = { name: 'child', version: '1' };
const signedIn = process.env.CHILD_TOKEN === 'from the environment';
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const tell = (text) => process.stderr.write(`${text}\n`);

function answer({ id, method, params }) {
  switch (method) {
    case 'initialize':
      return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
    case 'server/discover':
      return {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        ttlMs: 0,
        cacheScope: 'private',
      };
    case 'tools/list':
      return { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' };
    case 'tools/call':
      if (params.name === 'crash') process.exit(7);
      return { resultType: 'complete', content: [{ type: 'text', text: String(process.pid) }] };
    default:
      return id === undefined ? undefined : {};
  }
}

function hear(line) {
  tell(`line ${line}`);
  const message = JSON.parse(line);
  const result = answer(message);
  if (message.id !== undefined) say({ id: message.id, result });
}

tell(`started ${process.ppid}`);
if (signedIn) tell('signed in');
if (habits.has('noisy')) tell('ERROR: something looks wrong');
let rest = '';
process.stdin.setEncoding('utf8').on('data', (text) => {
  // node:readline would end a line at U+2028 as well
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  for (const line of lines) hear(line);
});
process.stdin.on('end', () => {
  tell('stdin ended');
  if (!habits.has('stays')) process.exit(0);
});
process.on('SIGTERM', () => {
  tell('SIGTERM');
  if (!habits.has('stubborn')) process.exit(0);
});
if (habits.has('stays')) setInterval(() => {}, 1000);
