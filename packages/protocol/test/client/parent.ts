import { childProcess, connect } from '../../src/client.ts';

// a client that exits without closing its server
const [script = ''] = process.argv.slice(2);
const client = await connect(childProcess({ command: process.execPath, args: [script] }), {
  name: 'parent',
  version: '1.0.0',
  timeout: 120_000,
  era: 'handshake',
});
const { content } = await client.callTool('pid');
process.stdout.write(`${(content[0] as { text: string }).text}\n`, () => process.exit(0));
