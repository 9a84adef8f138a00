import type { Client } from '@rootbound/protocol/client';
import { describe, expect, test } from 'vitest';
import { SeenUrls } from '../../src/consent/seen-urls.ts';
import { spec } from '../../src/spec.ts';
import { type Failure, Ground } from '../ground.ts';
import { call, newest, type Setting } from '../harness.ts';
import { article } from '../site.ts';

interface Facts {
  content: string;
  failure?: Failure & { leads_to?: string };
}

const ground = new Ground();
const { site } = ground;
/** Returns a URL of the same site under another host. */
const elsewhere = (path: string): string => site.url(path).replace('localhost', '127.0.0.1');

interface Person {
  client: Client;
  questions: string[];
  /** the response from now on */
  agrees: boolean;
}

/** Returns a client whose user is asked, and accepts unless set otherwise. */
async function person(extra: NonNullable<Setting['extra']>, revision: Setting['revision'] = newest) {
  const person: Person = { questions: [], agrees: true, client: undefined as never };
  const elicitation: Setting['elicitation'] = ({ message }) => {
    person.questions.push(message);
    return person.agrees ? { action: 'accept', content: { confirm: true } } : { action: 'decline' };
  };
  person.client = await mute(extra, { elicitation, revision });
  return person;
}

/** Returns a client that cannot ask its user. */
function mute(extra: NonNullable<Setting['extra']>, more: Setting = {}): Promise<Client> {
  const both = [site.host, site.host.replace('localhost', '127.0.0.1')];
  return ground.client({ tools: spec.tools, ...more, extra: { 'allow-private': both, ...extra } });
}

const codeOf = async (client: Client, url: string, tool = 'fetch', more: Record<string, unknown> = {}) =>
  (await call<Facts>(client, tool, { url, ...more })).facts.failure?.code;

describe('a user confirms each host', () => {
  const confirming = { 'confirm-hosts': true } as const;

  test.each(['2025-11-25', newest] as const)(
    'before its first request, and once, in %s',
    async (revision) => {
      const user = await person(confirming, revision);
      const [one, two] = [site.page('/one', article(1)), site.page('/two', article(1))];
      user.agrees = false;
      expect([await codeOf(user.client, one), site.asked]).toEqual(['consent-refused', []]);
      user.agrees = true;
      expect(await codeOf(user.client, one)).toBe(undefined);
      expect(await codeOf(user.client, two)).toBe(undefined);
      expect(user.questions).toEqual(Array(2).fill(`Fetch pages of ${new URL(one).origin}?`));
      expect(site.asked).toEqual(['/one', '/two']);
    },
  );

  test.each(spec.tools)('for every tool that reaches it: %s', async (tool) => {
    const user = await person({ ...confirming, browser: '/nowhere/chromium' });
    user.agrees = false;
    const url = site.page('/one', article(1));
    const { failed, text } = await call(user.client, tool, {
      ...(tool === 'fetch_many' ? { urls: [url] } : { url }),
      ...(tool === 'find_in_page' && { query: 'kettles' }),
      ...(tool === 'request' && { method: 'POST', body: 'x' }),
    });
    expect([failed, site.asked, user.questions.length]).toEqual([true, [], 1]);
    if (tool !== 'download') expect(text).toContain('has not agreed');
  });

  test('and of several addresses all that are new to it, in one question', async () => {
    const user = await person(confirming);
    const urls = [site.page('/one', article(1)), site.url('/two'), elsewhere('/one')];
    site.page('/two', article(1));
    const { facts } = await call<{ failed: number }>(user.client, 'fetch_many', { urls });
    expect(facts.failed).toBe(0);
    const origins = [urls[0]!, urls[2]!].map((url) => `pages of ${new URL(url).origin}`);
    expect(user.questions).toEqual([`Fetch all of these?\n${origins.join('\n')}`]);
  });

  test('and no redirect to another host is followed, but its target is reported', async () => {
    const user = await person(confirming);
    site.paths.set('/away', (_, response) => response.writeHead(302, { location: elsewhere('/one') }).end());
    site.page('/one', article(1));
    const { facts } = await call<Facts>(user.client, 'fetch', { url: site.url('/away') });
    expect(facts.failure).toMatchObject({ code: 'redirect-refused', leads_to: elsewhere('/one') });
    expect(site.asked).toEqual(['/away']);
    expect(await codeOf(user.client, elsewhere('/one'))).toBe(undefined);
    expect(user.questions.length).toBe(2);
  });

  test('by picking a page of it', async () => {
    const user = await person(confirming);
    const url = site.page('/one', article(1));
    await user.client.getPrompt('fetch', { url });
    expect([await codeOf(user.client, url), user.questions]).toEqual([undefined, []]);
  });

  test('and if the client cannot ask, only picked pages are fetched', async () => {
    const client = await mute(confirming);
    const url = site.page('/one', article(1));
    expect([await codeOf(client, url), site.asked]).toEqual(['consent-refused', []]);
    await client.getPrompt('fetch', { url });
    expect(await codeOf(client, url)).toBe(undefined);
  });

  test('but is not asked about hosts that the operator forbids', async () => {
    const user = await person({ ...confirming, 'deny-domain': ['example.org'] });
    expect(await codeOf(user.client, 'https://example.org/')).toBe('domain-refused');
    expect(user.questions).toEqual([]);
  });
});

describe('if only seen URLs are fetched', () => {
  const seen = { 'seen-urls-only': true } as const;
  const linking = (href: string): string => `<main><p>See <a href="${href}">the next</a>.</p></main>`;

  test('a model cannot tell anybody anything by an address', async () => {
    const client = await mute(seen);
    site.page('/', linking('/next?page=2#top'));
    site.page('/next?page=2', article(1));
    const unseen = site.url('/next?page=2&told=secret');
    expect(await codeOf(client, unseen)).toBe('unseen-url');
    expect(await codeOf(client, site.url('/next?page=2'))).toBe('unseen-url');
    for (const tool of ['download', 'request', 'get_outline', 'list_links', 'get_metadata', 'compare_page'])
      expect(await codeOf(client, unseen, tool, tool === 'request' ? { method: 'GET' } : {})).toBe(
        'unseen-url',
      );
    expect(site.asked).toEqual([]);
    expect(await codeOf(client, site.url('/'))).toBe(undefined);
    expect(await codeOf(client, site.url('/next?page=2'))).toBe(undefined);
    expect(await codeOf(client, unseen)).toBe('unseen-url');
    expect(site.asked).toEqual(['/', '/next?page=2']);
  });

  test('URLs in the text of a fetched page count, and those in the response to a request', async () => {
    const client = await mute(seen);
    const inJson = site.page('/json', '{}', 'application/json');
    const inText = site.page('/text', 'It says.', 'text/plain');
    site.page('/', JSON.stringify({ next: inJson }), 'application/json');
    await codeOf(client, site.url('/'), 'request', { method: 'GET' });
    site.page('/json', `<p>As (${inText}). says</p>`, 'text/html');
    expect([await codeOf(client, inText), await codeOf(client, inJson)]).toEqual(['unseen-url', undefined]);
    expect(await codeOf(client, inText)).toBe(undefined);
  });

  test('links beside the main content count', async () => {
    const client = await mute(seen);
    site.page('/', article(2));
    site.page('/more', article(1));
    expect((await call<Facts>(client, 'fetch', { url: site.url('/') })).facts.content).not.toContain('/more');
    expect(await codeOf(client, site.url('/more'))).toBe(undefined);
  });

  test('the target of a redirect counts, also if it is not followed', async () => {
    const client = await mute({ ...seen, redirects: 'same-site' });
    site.paths.set('/', (_, response) => response.writeHead(302, { location: elsewhere('/one') }).end());
    site.page('/one', article(1));
    expect(await codeOf(client, elsewhere('/one'))).toBe('unseen-url');
    expect(await codeOf(client, site.url('/'))).toBe('redirect-refused');
    expect(await codeOf(client, elsewhere('/one'))).toBe(undefined);
  });

  test('the target of a reported redirect counts, and both halves have it', async () => {
    const client = await mute({ ...seen, redirects: 'report' });
    site.paths.set('/', (_, response) => response.writeHead(302, { location: '/one?way=on' }).end());
    site.page('/one?way=on', article(1));
    const on = site.url('/one?way=on');
    const { failed, facts, text } = await call<Facts & { status: number; leads_to: string }>(
      client,
      'fetch',
      {
        url: site.url('/'),
      },
    );
    expect([failed, facts.status, facts.leads_to]).toEqual([false, 302, on]);
    expect(text).toContain(`It redirects to ${on}, which was not followed.`);
    expect(await codeOf(client, on)).toBe(undefined);
  });

  test('a URL that the user picks counts', async () => {
    const client = await mute(seen);
    const url = site.page('/picked?by=me', linking('/one'));
    site.page('/one', article(1));
    await client.getPrompt('fetch', { url });
    expect([await codeOf(client, url), await codeOf(client, site.url('/one'))]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test.each(['2025-11-25', newest] as const)(
    'a user who can be asked sees the whole URL and confirms it only, in %s',
    async (revision) => {
      const user = await person(seen, revision);
      const url = site.page('/asked?for=this', article(1));
      expect(await codeOf(user.client, url)).toBe(undefined);
      expect(user.questions).toEqual([`Fetch ${url}?`]);
      user.agrees = false;
      expect(await codeOf(user.client, `${url}-and-more`)).toBe('unseen-url');
      expect([user.questions.length, site.asked]).toEqual([2, ['/asked?for=this']]);
    },
  );

  test('the start page of a host that the operator does not name is no exception', async () => {
    const client = await mute(seen);
    expect(await codeOf(client, 'https://secret.example.org/')).toBe('unseen-url');
  });

  test('URLs that one owner saw are not seen by another, and the owner that saw most forgets first', () => {
    const addresses = new SeenUrls({ count: 3 });
    addresses.add('a', 'https://a.org/');
    expect([addresses.has('a', 'https://a.org/'), addresses.has('b', 'https://a.org/')]).toEqual([
      true,
      false,
    ]);
    for (const index of [1, 2, 3, 4]) addresses.add('b', `https://b.org/${index}`);
    expect(addresses.has('a', 'https://a.org/')).toBe(true);
    expect([1, 2, 3, 4].map((index) => addresses.has('b', `https://b.org/${index}`))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});
