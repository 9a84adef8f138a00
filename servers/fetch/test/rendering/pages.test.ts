import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { type RenderedFacts, Stage, scripted } from './stage.ts';

const stage = new Stage();
const { site } = stage;
const without = new Served();

test('a page that scripts fill is read as they make it', async () => {
  const url = site.page('/scripted', scripted("write('kettles of the future')"));
  const plain = await call<RenderedFacts>(stage.running, 'fetch', { url });
  expect(plain.facts.content).not.toContain('kettles of the future');
  expect(plain.facts.rendered).toBeUndefined();
  const { facts, failed, text } = await stage.render(url);
  expect([failed, text]).toEqual([false, expect.stringContaining('kettles of the future')]);
  expect(facts).toMatchObject({ url, final_url: url, status: 200, title: 'Scripted', kind: 'html' });
  expect(facts).toMatchObject({ rendered: true, from: 'network' });
  expect(facts.content).toBe('kettles of the future');
  // two pages, each with a handle of its own
  expect(facts.resource).not.toBe(plain.facts.resource);
});

test('content that a page loads later is waited for while it loads, and as long as a selector says', async () => {
  site.page('/later.json', '["from the server"]', 'application/json');
  const loads = site.page(
    '/loads',
    scripted("fetch('/later.json').then((answer) => answer.json()).then(([text]) => write(text))"),
  );
  expect((await stage.render(loads)).facts.content).toBe('from the server');
  const slow = scripted(
    "setTimeout(() => { const late = document.createElement('i'); late.id = 'late'; late.textContent = 'late'; document.getElementById('main').append(late); }, 1200)",
  );
  const { facts } = await stage.render(site.page('/slow', slow), { wait_for: '#late' });
  expect(facts.content).toContain('late');
});

test('an element that never appears is a failure at the deadline that names it', async () => {
  const url = site.page('/never', scripted("write('there')"));
  const { facts } = await stage.render(url, { wait_for: '#never', timeout_ms: 5000 });
  expect(facts.failure).toMatchObject({ code: 'timeout', retryable: true, final_url: url });
  expect(facts.failure?.message).toContain('#never');
});

test.each(['p[', 'text=there >> nth=0'])('%j is not a valid selector to wait for', async (wait_for) => {
  const { facts } = await stage.render(site.page('/never', scripted('')), { wait_for });
  expect(facts.failure?.code).toBe('invalid-request');
});

test('parts of a page come from one rendering, which every tool may continue', async () => {
  const url = site.page(
    '/long',
    scripted("for (let at = 0; at < 200; at++) write('line ' + at + ' of ' + Math.random())"),
  );
  const first = await stage.render(url, { max_length: 2000 });
  const second = await stage.render(url, { max_length: 2000, start_index: first.facts.next_start_index });
  expect([first.facts.from, second.facts.from]).toEqual(['network', 'cache']);
  expect(second.facts.content_hash).toBe(first.facts.content_hash);
  const found = await call<{ matches: unknown[] }>(stage.running, 'find_in_page', {
    url,
    render: true,
    query: 'line 150',
  });
  expect(found.facts.matches.length).toBe(1);
  expect(site.asked).toEqual(['/long']);
  const anew = await stage.render(url, { max_age: 0 });
  expect(anew.facts.content_hash).not.toBe(first.facts.content_hash);
  const kept = await stage.render(url, { cache_only: true });
  expect(kept.facts.content_hash).toBe(anew.facts.content_hash);
  const { facts } = await stage.render(site.url('/unknown'), { cache_only: true });
  expect(facts.failure?.code).toBe('not-cached');
});

test('an error status is a failure with the text of the page', async () => {
  site.paths.set('/gone', (_, response) =>
    response.writeHead(410, { 'content-type': 'text/html' }).end(scripted("write('it is gone')")),
  );
  const { facts, text } = await stage.render(site.url('/gone'));
  expect(facts.failure).toMatchObject({ code: 'http-status', status: 410 });
  expect(text).toContain('it is gone');
});

test('other content than HTML is not rendered, and the failure has the next step', async () => {
  const { facts } = await stage.render(site.page('/data', '{"a":1}', 'application/json'));
  expect(facts.failure).toMatchObject({
    code: 'unreadable',
    hint: expect.stringContaining('without render'),
  });
});

test('the browser sends the name of this server, and requests no icon, image or beacon when text is read', async () => {
  const names = new Set<string>();
  for (const path of ['/named', '/named.js'])
    site.paths.set(path, ({ headers }, response) => {
      names.add(headers['user-agent'] ?? '');
      const content = path.endsWith('.js')
        ? "navigator.sendBeacon('/beacon', 'x'); document.body.append(navigator.userAgent)"
        : '<img src="/image.png"><p>named</p><script src="/named.js"></script>';
      response
        .writeHead(200, { 'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/html' })
        .end(content);
    });
  const { facts } = await stage.render(site.url('/named'), { full: true });
  expect([...names]).toEqual([expect.stringMatching(/^Rootbound-Fetch\/\S+ \(autonomous\)$/)]);
  expect(facts.content).toContain('Rootbound-Fetch/');
  expect(site.asked).toEqual(['/named', '/named.js']);
});

test('characters are those of the page, in any charset', async () => {
  const bytes = Buffer.concat([
    Buffer.from('<!doctype html><meta charset="gbk"><p>'),
    Buffer.from([0xd6, 0xd0]),
    Buffer.from('</p>'),
  ]);
  const { facts } = await stage.render(site.page('/gbk', bytes, 'text/html'));
  expect(facts.content).toBe('中');
});

test('cookies and storage of one call are not visible in the next', async () => {
  const url = site.page(
    '/visits',
    scripted(
      "write(document.cookie + ' ' + (localStorage.visits ?? 'none')); document.cookie = 'seen=yes'; localStorage.visits = 'one';",
    ),
  );
  for (const max_age of [0, 0])
    expect((await stage.render(url, { max_age })).facts.content.trim()).toBe('none');
});

test('without a browser there is no screenshot, and arguments that need one are refused with the fix', async () => {
  const client = await without.client({ extra: { 'allow-private': [site.host] } });
  expect((await client.listTools()).map(({ name }) => name)).not.toContain('screenshot');
  const url = site.page('/plain', '<p>plain</p>');
  const { failed, text } = await call(client, 'fetch', { url, render: true });
  expect([failed, text]).toEqual([true, expect.stringContaining('--browser')]);
  const misplaced = await call(client, 'get_outline', { url, wait_for: 'p' });
  expect([misplaced.failed, misplaced.text]).toEqual([
    true,
    expect.stringContaining('leave out render and wait_for'),
  ]);
  expect(site.asked).toEqual([]);
});
