import { createServer } from 'node:https';
import { afterEach, expect, test, vi } from 'vitest';
import { connect } from '../../src/client.ts';
import { webSocket, webSocketEndpoint } from '../../src/ws.ts';
import { fixtureServer } from '../wire/fixture.ts';
import { selfSigned } from './certificate.ts';

const me = { name: 'tester', version: '1.0.0' };

afterEach(() => {
  vi.unstubAllEnvs();
});

test('an endpoint on an HTTPS server is reached by a wss: URL, and only with trust in its certificate', async () => {
  const endpoint = webSocketEndpoint(fixtureServer());
  const https = createServer(selfSigned());
  https.on('upgrade', (request, socket, head) => endpoint.upgrade(request, socket, head));
  await new Promise<void>((resolve) => https.listen(0, '127.0.0.1', resolve));
  const url = `wss://127.0.0.1:${(https.address() as { port: number }).port}/ws`;
  await expect(connect(webSocket(url), me)).rejects.toThrow(/cannot connect to .*self.signed/);
  const warning = vi.spyOn(process, 'emitWarning').mockReturnValue();
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const client = await connect(webSocket(url), me);
  warning.mockRestore();
  const text = '漢'.repeat(300_000);
  expect((await client.callTool('echo', { text })).content[0]).toEqual({ type: 'text', text });
  await client.close();
  await endpoint.close();
  https.close();
});
