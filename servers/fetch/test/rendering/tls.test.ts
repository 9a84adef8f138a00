import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../harness.ts';
import { certificate } from '../web/certificate.ts';
import { type RenderedFacts, Stage, scripted } from './stage.ts';

const stage = new Stage();
let server: Server;
let other: Server;
let host: string;
let elsewhere: string;
const asked: string[] = [];

async function serve(page: () => string): Promise<Server> {
  const made = createServer(certificate('localhost', '2'), (request, response) => {
    if (request.url !== '/robots.txt') asked.push(request.url ?? '');
    const type = request.url === '/page' ? 'text/html' : 'text/plain';
    response.writeHead(200, { 'content-type': type }).end(request.url === '/page' ? page() : '');
  });
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return made;
}

const hostOf = (from: Server): string => `localhost:${(from.address() as AddressInfo).port}`; // it listens on a port

beforeAll(async () => {
  other = await serve(() => '');
  elsewhere = hostOf(other);
  const script = `fetch('https://${elsewhere}/part', { mode: 'no-cors' }).then(() => write('whole'), () => write('alone'))`;
  server = await serve(() => scripted(script));
  host = hostOf(server);
});
afterAll(async () => {
  for (const one of [server, other]) {
    one.closeAllConnections();
    await new Promise((resolve) => one.close(resolve));
  }
});

test('a page over TLS is rendered through a tunnel, and its certificate is verified unless the operator accepts it', async () => {
  const url = `https://${host}/page`;
  const open = ['allow-private', 'ignore-robots-txt', 'insecure-tls'] as const;
  const read = async (insecure: readonly string[]): Promise<RenderedFacts> => {
    const extra = { [open[0]]: [host, elsewhere], [open[1]]: true, [open[2]]: insecure };
    return (await call<RenderedFacts>(await stage.client({ extra }), 'fetch', { url, render: true })).facts;
  };
  expect((await read([])).failure?.code).toBe('tls-failed');
  expect(asked).toEqual([]);
  // its resources are verified as strictly
  expect((await read([host])).content).toBe('alone');
  expect(asked).toEqual(['/page']);
  expect((await read([host, elsewhere])).content).toBe('whole');
});
