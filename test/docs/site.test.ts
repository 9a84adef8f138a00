import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressOf, sidebar } from '../../docs/.vitepress/pages.mjs';
import { full } from '../extent.ts';
import { document, documents, root } from './documents.ts';

const built = join(root, 'docs', '.vitepress', 'dist');
const servers = ['filesystem', 'git', 'sqlite', 'fetch'];
const links = new Set(sidebar.flatMap(({ items }) => items.map(({ link }) => link)));
const linkOf = (path: string): string => `/${addressOf(path)?.replace(/(?:(?<=^|\/)index)?\.md$/, '')}`;

test('every document is in the sidebar, and everything in it is a document', () => {
  const pages = documents()
    .map(({ name }) => name)
    .filter((name) => name !== 'docs/index.md' && !/^\.changeset\/|\/CHANGELOG\.md$/.test(name));
  expect([...pages.map(linkOf), '/api/'].sort()).toEqual([...links].sort());
});

test.each(servers)(
  'the security page of %s has threats, the security model and containment modes',
  (server) => {
    const page = readFileSync(join(root, 'docs', 'security', `${server}.md`), 'utf8');
    expect(page.match(/^## .*$/gm)?.slice(0, 3)).toEqual([
      '## Threats',
      '## What is enforced, and what is not',
      '## Containment modes',
    ]);
    expect(page).toContain(`<!--@include: ../reference/${server}.md#security-model-->`);
    expect(document(`docs/reference/${server}.md`).text).toMatch(/^## Security model$/m);
  },
);

if (full)
  describe('the site', () => {
    let served: Server;
    let address: string;

    beforeAll(async () => {
      execFileSync(process.execPath, [join(root, 'scripts', 'docs.mjs')], { stdio: 'ignore' });
      served = createServer(({ url = '/' }, response) => {
        const file = fileOf(new URL(url, 'http://localhost').pathname);
        response.writeHead(file === undefined ? 404 : 200, { 'content-type': typeOf(file ?? '') });
        response.end(file === undefined ? undefined : readFileSync(file));
      });
      await new Promise<void>((resolve) => served.listen(0, '127.0.0.1', resolve));
      address = `http://127.0.0.1:${(served.address() as AddressInfo).port}`;
    }, 600_000);
    afterAll(() => served?.close());

    test('has no dead link, also within pages', () => {
      const pages = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter(
        (name) => name.endsWith('.html') && name !== '404.html',
      );
      expect(pages.length).toBeGreaterThan(links.size);
      const dead = pages.flatMap((page) => {
        const text = readFileSync(join(built, page), 'utf8');
        return [...text.matchAll(/<a [^>]*?href="([^"]+)"/g)].flatMap(([, href = '']) => {
          const { origin, pathname, hash } = new URL(
            href.replaceAll('&amp;', '&'),
            `http://localhost/${page}`,
          );
          if (origin !== 'http://localhost') return [];
          const file = fileOf(pathname);
          if (file === undefined) return [`${page}: ${href}`];
          const id = decodeURIComponent(hash.slice(1));
          return id === '' || readFileSync(file, 'utf8').includes(`id="${id}"`) ? [] : [`${page}: ${href}`];
        });
      });
      expect(dead).toEqual([]);
    });

    test('has the security models of the references on its security pages', () => {
      for (const server of servers)
        expect(readFileSync(join(built, 'security', `${server}.html`), 'utf8')).toContain('Not covered:');
    });

    test('loads in a browser without requests to other hosts, and its search finds a tool', async () => {
      const program = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
      const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
      try {
        const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
        const asked: string[] = [];
        const wrong: string[] = [];
        page.on('request', (request) => asked.push(new URL(request.url()).origin));
        page.on('pageerror', (error) => wrong.push(error.message));
        await page.goto(`${address}/`);
        await page.locator('.front img').waitFor();
        const isOneScreen: unknown = await page.evaluate(
          'document.documentElement.scrollHeight <= innerHeight',
        );
        const links = await page.locator('.front td a').allTextContents();
        expect([isOneScreen, links.toSorted()]).toEqual([true, servers.toSorted()]);
        expect(await page.locator('.front pre code').textContent()).toMatch(/^npm start -- /);
        for (const [path, heading] of [
          ['/use/start', 'Rootbound'],
          ['/servers/git', '@rootbound/server-git'],
          ['/security/fetch', 'Security: fetch'],
        ] as const) {
          await page.goto(`${address}${path}`);
          await page.getByRole('heading', { level: 1, name: heading }).waitFor();
          const seen: unknown = await page.evaluate(
            '({ wide: document.documentElement.scrollWidth > innerWidth, broken: [...document.images].filter((image) => image.complete && image.naturalWidth === 0).length })',
          );
          // a picture of 1280 by 800 with text has that many bytes; an empty page has a tenth
          expect([path, seen, (await page.screenshot()).length > 40_000]).toEqual([
            path,
            { wide: false, broken: 0 },
            true,
          ]);
        }
        await page.keyboard.press('Control+k');
        await page.getByRole('searchbox').fill('search_content');
        await page.locator('.VPLocalSearchBox .result').first().waitFor();
        expect(new Set(asked)).toEqual(new Set([address]));
        expect(wrong).toEqual([]);
      } finally {
        await browser.close();
      }
    });
  });

function fileOf(path: string): string | undefined {
  const name = decodeURIComponent(path);
  const options = [name, `${name}.html`, join(name, 'index.html')].filter((option) => extname(option) !== '');
  return options.map((option) => join(built, option)).find((option) => existsSync(option));
}

function typeOf(file: string): string {
  const types: Record<string, string> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.svg': 'image/svg+xml',
    '.png': 'image/png',
  };
  return types[extname(file)] ?? 'application/octet-stream';
}
