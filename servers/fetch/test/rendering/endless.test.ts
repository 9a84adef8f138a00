import { expect, test, vi } from 'vitest';
import { call } from '../harness.ts';
import { browsersOf, isRenderer } from './processes.ts';
import { type RenderedFacts, Stage, scripted } from './stage.ts';

const stage = new Stage();
const { site } = stage;

test('a page whose script never ends is a failure at its deadline; others are answered meanwhile, and rendered after it', async () => {
  const before = site.page('/before', scripted("write('before')"));
  expect((await stage.render(before)).facts.content).toBe('before');
  const renderers = (): number => browsersOf(process.pid).filter(isRenderer).length;
  let ended = false;
  const endless = stage.render(site.page('/endless', scripted('while (true);')), { timeout_ms: 6000 });
  endless.then(
    () => (ended = true),
    () => {},
  );
  await vi.waitUntil(() => site.asked.includes('/endless'), { timeout: 120_000 });
  const plain = await call<RenderedFacts>(stage.running, 'fetch', {
    url: site.page('/plain', '<p>plain</p>'),
  });
  expect([plain.facts.content, ended]).toEqual(['plain', false]);
  const { facts } = await endless;
  expect(facts.failure).toMatchObject({ code: 'timeout', retryable: true, final_url: site.url('/endless') });
  const after = site.page('/after', scripted("write('after')"));
  expect((await stage.render(after)).facts.content).toBe('after');
  // the process of the endless script has ended with its page
  await vi.waitUntil(() => renderers() <= 2, { timeout: 120_000 });
});

test('a page that keeps loading, opens dialogs and windows is read as it is', async () => {
  const script = `
    write('restless');
    onbeforeunload = () => 'stay';
    setInterval(() => fetch('/more', { mode: 'no-cors' }).catch(() => {}), 100);
    setInterval(() => { open('/window'); const link = document.createElement('a'); link.target = '_blank'; link.href = '/window'; link.click(); }, 200);
    alert('one'); confirm('two'); prompt('three'); print();`;
  site.page('/more', 'more', 'text/plain');
  site.page('/window', '<script>open("/window")</script>');
  const { facts } = await stage.render(site.page('/restless', scripted(script)));
  expect(facts.content).toBe('restless');
});

test('a document without end is read as far as it was received', async () => {
  site.paths.set('/unending', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).write('<!doctype html><p>the beginning</p>');
  });
  const { facts } = await stage.render(site.url('/unending'), { timeout_ms: 8000 });
  expect(facts.content).toBe('the beginning');
});

test('a page of more than a thousand parts loads up to the limit, and is read', async () => {
  const parts = 1200;
  site.page('/part', '', 'text/javascript');
  for (let part = 0; part < parts; part++) site.paths.set(`/part?${part}`, site.paths.get('/part')!);
  const script = `
    const parts = Array.from({ length: ${parts} }, (_, part) => fetch('/part?' + part));
    Promise.allSettled(parts).then((all) => write(all.filter(({ status }) => status === 'fulfilled').length, 'all'));`;
  const { facts } = await stage.render(site.page('/parts', scripted(script)), {
    wait_for: '#all',
    timeout_ms: 19_000,
  });
  // the document is one of the 300
  expect([facts.content, site.asked.length]).toEqual(['299', 300]);
});

test('a page that has grown too large is a failure with its size', async () => {
  const script = "document.body.dataset.grown = 'x'.repeat(21 * 1024 * 1024)";
  const { facts } = await stage.render(site.page('/grown', scripted(script)));
  expect(facts.failure?.code).toBe('too-large');
  expect(facts.failure?.message).toMatch(/2\d{7} characters/);
});
