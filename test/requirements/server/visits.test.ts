import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, type PageVisit, tool, url } from '@rootbound/protocol';
import { serveMemory } from '@rootbound/protocol/testing';
import { expect, onTestFinished } from 'vitest';
import * as z from 'zod';
import { between } from '../revisions.ts';
import { Talk } from './talk.ts';
import { over, shakeHands, type World } from './world.ts';

const since = between('2025-11-25');
const capabilities = { elicitation: { url: {} } };

/** Creates a server with a page for credentials, which identifies users by their cookie. */
async function service() {
  const visits = new Map<string, PageVisit>();
  const credentials = new Map<string, string>();
  const page = createHttp((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const user = /user=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
    const visit = visits.get(pathname.slice(1));
    if (visit === undefined || !visit.isOf(user)) {
      response.writeHead(403).end();
      return;
    }
    credentials.set(user, searchParams.get('typed') ?? '');
    visit.completed();
    response.end('thanks');
  });
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void page.close());
  const origin = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  const connect = tool({
    name: 'connect',
    description: 'Has the user enter a password elsewhere.',
    input: z.object({ id: z.string() }),
    ask: async ({ id }, ask) => (await ask({ page: url('Connect', `${origin}/${id}`, { id }) })).page,
    run: (_args, { answers }) => {
      visits.set(answers.id, answers);
      return 'asked';
    },
  });
  const use = tool({
    name: 'use',
    description: 'Uses the password.',
    input: z.object({}),
    run: (_args, { facts }) => `has ${(credentials.get(facts.principal ?? '') ?? '').length} letters`,
  });
  const server = createServer({ name: 's', version: '1', tools: [connect, use] });
  const open = async (path: string, user: string): Promise<number> => {
    const { status } = await fetch(`${origin}/${path}`, { headers: { cookie: `user=${user}` } });
    return status;
  };
  return { server, open, credentials };
}

/** Returns a talk of an identified user. */
async function talkOf({ revision, stateless }: World, server: object, principal: string): Promise<Talk> {
  const talk = new Talk(serveMemory(server as never, { principal }), revision, capabilities);
  if (!stateless) await shakeHands(talk, capabilities);
  return talk;
}

over(since, 'a URL elicitation is valid only for the user who was asked', async (world) => {
  const { proves, revision } = world;
  const { server, open, credentials } = await service();
  const talk = await talkOf(world, server, 'ada');
  const eve = await talkOf(world, server, 'eve');
  const accept = () => ({ action: 'accept' });
  await talk.settleCall('connect', { id: 'visit-of-ada' }, accept);
  await eve.settleCall('connect', { id: 'visit-of-eve' }, accept);
  const stolen = await open('visit-of-ada?typed=evil', 'eve');
  const nobody = await open('visit-of-ada?typed=evil', '');
  proves('2025-11-25/elicitation/url-opener-identity-verified', () => {
    expect([stolen, nobody]).toEqual([403, 403]);
    expect(credentials.size).toBe(0);
  });
  const changed = [
    await open('visit-of-eve?typed=evil', 'ada'),
    await open('visit-of-ada&user=ada?typed=evil&user=ada', 'eve'),
    await open('visit-of-nobody?typed=evil', 'eve'),
  ];
  proves('2025-11-25/elicitation/identity-check-resists-url-tampering', () =>
    expect(changed).toEqual([403, 403, 403]),
  );
  const own = await open('visit-of-ada?typed=hunter2', 'ada');
  proves('2025-11-25/elicitation/same-user-starts-and-completes-elicitation', () =>
    expect([own, [...credentials]]).toEqual([200, [['ada', 'hunter2']]]),
  );
  const { result } = await talk.call('use');
  const notified = talk.heard.filter(({ method }) => method === 'notifications/elicitation/complete');
  proves('2025-11-25/elicitation/elicited-credentials-not-sent-to-client', () => {
    expect(result.content[0].text).toBe('has 7 letters');
    expect(talk.lines.join()).not.toContain('hunter2');
    expect(notified.map(({ params }) => params)).toEqual(
      revision === '2025-11-25' ? [{ elicitationId: 'visit-of-ada' }] : [],
    );
  });
});
