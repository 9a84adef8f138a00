import type { Client } from '@rootbound/protocol/client';
import { chromium } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { call } from '../harness.ts';
import { browser, closedPath, type PictureFacts, Stage, scripted } from './stage.ts';

const stage = new Stage();
const { site, forbidden } = stage;
/** of a server that may reach hosts which the others may not */
let control: Client;

beforeAll(async () => {
  control = await stage.client({ extra: { 'allow-private': [site.host, `127.0.0.1:${forbidden.port}`] } });
});

/** Returns a URL that no server may reach. */
const out = (path: string, scheme = 'http'): string => `${scheme}://127.0.0.1:${forbidden.port}${path}`;

/** Returns a page that tries every way to load something, and reports when it has. */
function everyWay(): string {
  const inWorker = `importScripts("${out('/import')}")`;
  return `<!doctype html><html><head><title>Ways</title>
    <link rel="preconnect" href="${out('')}"><link rel="dns-prefetch" href="${out('')}">
    <link rel="prefetch" href="${out('/prefetch')}"><link rel="preload" as="fetch" href="${out('/preload')}">
    <link rel="stylesheet" href="${out('/stylesheet')}"><link rel="icon" href="${out('/icon')}">
    <style>@font-face { font-family: far; src: url("${out('/font')}") } p { font-family: far; background: url("${out('/background')}") }</style>
    <script src="${out('/script')}"></script></head><body><p>text</p>
    <img src="${out('/image')}"><iframe src="${out('/iframe')}"></iframe><iframe name="target"></iframe>
    <object data="${out('/object')}"></object><embed src="${out('/embed')}">
    <video src="${out('/video')}" autoplay></video><svg><image href="${out('/svg')}" /></svg>
    <form action="${out('/form')}" method="post" target="target"></form>
    <script>
      const quietly = (work) => { try { return Promise.resolve(work()).catch(() => {}); } catch { return undefined; } };
      quietly(() => document.forms[0].submit());
      quietly(() => navigator.sendBeacon("${out('/beacon')}", 'x'));
      quietly(() => fetch("${out('/keepalive')}", { mode: 'no-cors', method: 'POST', keepalive: true, body: 'x' }));
      quietly(() => window.open("${out('/popup')}"));
      quietly(() => new Worker(URL.createObjectURL(new Blob([${JSON.stringify(inWorker)}]))));
      quietly(() => new EventSource("${out('/events')}"));
      const request = new XMLHttpRequest();
      request.open('GET', "${out('/xhr')}");
      request.send();
      const socket = new WebSocket("${out('/socket', 'ws')}");
      const heard = new Promise((resolve) => { socket.onerror = socket.onopen = resolve; });
      const fetched = quietly(() => fetch("${out('/fetch')}", { mode: 'no-cors' }));
      const late = new Promise((resolve) => setTimeout(resolve, 1000));
      Promise.all([fetched, Promise.race([heard, late])]).then(() => { document.body.id = 'tried'; });
    </script></body></html>`;
}

describe('every resource of a page', () => {
  test('reaches nothing that the guard refuses, and reaches it where that is allowed', async () => {
    const url = site.page('/ways', everyWay());
    const args = { url, wait_for: '#tried' };
    const { failed, facts } = await stage.screenshot(url, { wait_for: '#tried' });
    expect([failed, facts.title, site.asked.includes('/ways')]).toEqual([false, 'Ways', true]);
    expect([forbidden.asked, forbidden.connections]).toEqual([[], 0]);
    await call<PictureFacts>(control, 'screenshot', args);
    const paths = new Set(forbidden.asked.map((line) => line.split(' ')[1]));
    for (const way of ['image', 'iframe', 'script', 'stylesheet', 'font', 'background', 'object', 'embed'])
      expect(paths).toContain(`/${way}`);
    for (const way of ['svg', 'form', 'keepalive', 'import', 'events', 'xhr', 'fetch', 'socket', 'preload'])
      expect(paths).toContain(`/${way}`);
  });

  test('uses HTTP only: neither WebRTC nor WebTransport sends a datagram', async () => {
    const script = `
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${forbidden.port}' }] });
      const gathered = new Promise((resolve) => {
        peer.onicecandidate = ({ candidate }) => { if (candidate === null) resolve(); };
      });
      peer.createDataChannel('x');
      peer.createOffer().then((offer) => peer.setLocalDescription(offer));
      const transport = new WebTransport('https://127.0.0.1:${forbidden.port}/');
      transport.closed.catch(() => {});
      const late = new Promise((resolve) => setTimeout(resolve, 1500));
      Promise.all([Promise.race([gathered, late]), Promise.race([transport.ready.catch(() => {}), late])])
        .then(() => write('tried', 'tried'));`;
    const url = site.page('/datagrams', scripted(script));
    const { facts } = await stage.render(url, { wait_for: '#tried' });
    expect(facts.content).toBe('tried');
    expect([forbidden.datagrams, forbidden.connections]).toEqual([0, 0]);
    const unguarded = await chromium.launch({ executablePath: browser });
    try {
      const page = await unguarded.newPage();
      await page.goto(url);
      await page.waitForSelector('#tried');
      expect(forbidden.datagrams).toBeGreaterThan(0);
    } finally {
      await unguarded.close();
    }
  });
});

describe('a page that navigates', () => {
  let leads = 0;
  const at = (content: string, headers: Record<string, string> = {}): string =>
    site.page(`/leads-${leads++}`, content, 'text/html', headers);
  const ways: Record<string, (target: string) => string> = {
    'by a redirect': (location) => {
      const path = `/leads-${leads++}`;
      site.paths.set(path, (_, response) => response.writeHead(302, { location }).end());
      return site.url(path);
    },
    'by a refresh of its own': (target) =>
      at(`<meta http-equiv="refresh" content="0; url=${target}"><p>soon</p>`),
    'by a script': (target) => at(scripted(`location.href = ${JSON.stringify(target)}`)),
    'by a form': (target) =>
      at(`<form action="${target}" method="post"></form><script>document.forms[0].submit()</script>`),
  };

  test.each(Object.keys(ways))(
    '%s to where the guard refuses is a failure, and nothing is asked there',
    async (way) => {
      const url = ways[way]!(out('/target'));
      const { failed, facts } = await stage.render(url);
      expect([failed, facts.failure?.code, facts.failure?.final_url]).toEqual([true, 'address-refused', url]);
      expect([forbidden.asked, forbidden.connections]).toEqual([[], 0]);
    },
  );

  test.each(Object.keys(ways))('%s to a page is read there, with its redirects', async (way) => {
    const target = site.page('/arrived', scripted("write('arrived')"));
    const url = ways[way]!(target);
    const { facts } = await stage.render(url);
    expect(facts).toMatchObject({ url, final_url: target, status: 200, content: 'arrived' });
    expect(facts.redirects).toEqual([{ url, status: way === 'by a redirect' ? 302 : 200 }]);
  });

  test.each(['by a redirect', 'by a script'])(
    '%s is checked by robots.txt there, as the page itself is',
    async (way) => {
      const closed = site.page(`${closedPath}/page`, '<p>closed</p>');
      for (const url of way === 'by a script' ? [ways[way]!(closed)] : [closed, ways[way]!(closed)])
        expect((await stage.render(url)).facts.failure?.code).toBe('robots-refused');
      expect(site.asked).not.toContain(`${closedPath}/page`);
    },
  );

  test('in a loop is stopped at the limit of documents', async () => {
    const url = site.page('/circle', '<script>location.reload()</script>');
    const { facts } = await stage.render(url);
    expect(facts.failure?.code).toBe('too-many-redirects');
    expect(site.asked.length).toBe(11);
  });
});

test.each([
  'file:///etc/passwd',
  'chrome://version',
  'data:text/html,x',
  'about:blank',
  'view-source:http://localhost/',
])('%s is not a URL for a browser', async (url) => {
  for (const { facts } of [await stage.render(url), await stage.screenshot(url)])
    expect(facts.failure?.code).toBe('scheme-refused');
});

test('a page reads no file of the machine, and does not navigate to one', async () => {
  const script = `
    for (const source of ['file:///etc/passwd', 'chrome://version/', 'view-source:file:///etc/passwd']) {
      const frame = document.createElement('iframe');
      frame.src = source;
      document.body.append(frame);
      window.open(source);
    }
    fetch('file:///etc/passwd').then((answer) => answer.text()).then(write, () => write('refused', 'refused'));
    location.href = 'file:///etc/passwd';`;
  const { facts } = await stage.render(site.page('/files', scripted(script)), {
    wait_for: '#refused',
    raw: true,
  });
  expect(facts.content).toContain('refused');
  expect(facts.content).not.toContain('root:');
});

test('a file that the page makes the browser download is not saved, and one at the URL itself is a failure', async () => {
  const attachment = { 'content-disposition': 'attachment; filename="page.html"' };
  const file = site.page('/file', 'content', 'application/octet-stream', attachment);
  const { facts } = await stage.render(file);
  expect(facts.failure?.code).toBe('unreadable');
  const leading = site.page('/leading', `<p>stays</p><iframe src="${file}"></iframe>`);
  expect((await stage.render(leading)).facts.content).toContain('stays');
});

test('secrets of the configuration are not sent by a browser, not even to their own origin', async () => {
  const seen: string[] = [];
  site.paths.set('/secret', ({ headers }, response) => {
    seen.push(String(headers['x-key']));
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>page</p>');
  });
  await call(stage.running, 'fetch', { url: site.url('/secret') });
  expect((await stage.render(site.url('/secret'))).facts.content).toBe('page');
  expect(seen).toEqual(['hidden', 'undefined']);
});

test('a site that asks for a password gets none', async () => {
  const seen: (string | undefined)[] = [];
  site.paths.set('/basic', (request, response) => {
    seen.push(request.headers.authorization);
    response
      .writeHead(401, { 'www-authenticate': 'Basic realm="x"', 'content-type': 'text/html' })
      .end('<p>no</p>');
  });
  const { facts } = await stage.render(site.url('/basic'));
  expect(facts.failure).toMatchObject({ code: 'http-status', status: 401 });
  expect(seen).toEqual([undefined]);
});
