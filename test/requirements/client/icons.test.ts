import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync } from 'node:zlib';
import { AnswerError, loadIcon } from '@rootbound/protocol/client';
import { expect, onTestFinished } from 'vitest';
import { between } from '../revisions.ts';
import { over } from './world.ts';

const since = between('2025-11-25');
const origin = 'https://icons.example';

function chunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)]);
}

/** Returns a PNG that declares this size and number of frames. */
function png(width: number, height = width, frames = 1): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames, 0);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...(frames > 1 ? [chunk('acTL', control)] : []),
    chunk('IDAT', deflateSync(Buffer.alloc(8))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const jpeg = Buffer.from('ffd8ffc0001108003000300103012200021101031101ffd9', 'hex');
const webp = Buffer.concat([
  Buffer.from('RIFF'),
  Buffer.from([30, 0, 0, 0]),
  Buffer.from('WEBPVP8X'),
  Buffer.from([10, 0, 0, 0, 0, 0, 0, 0, 47, 0, 0, 47, 0, 0]),
]);
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>';

const data = (mimeType: string, bytes: Buffer | string) =>
  `data:${mimeType};base64,${Buffer.from(bytes).toString('base64')}`;
const load = (src: string, more: object = {}, options: object = {}) =>
  loadIcon({ src, ...more }, `${origin}/mcp`, options).then(
    ({ mimeType }) => mimeType,
    (error: unknown) => (error instanceof AnswerError ? error.message : `unexpected ${String(error)}`),
  );

over(since, 'icons of the four types are loaded, detected by their bytes', async ({ proves }) => {
  const kinds = [
    await load(data('image/png', png(48))),
    await load(data('image/jpeg', jpeg), { mimeType: 'image/jpg' }),
    await load(data('image/webp', webp)),
    await load(data('image/svg+xml', svg)),
  ];
  proves('2025-11-25/base/icon-renderer-supports-png', () => expect(kinds[0]).toBe('image/png'));
  proves('2025-11-25/base/icon-renderer-supports-jpeg', () => expect(kinds[1]).toBe('image/jpeg'));
  proves('2025-11-25/base/icon-renderer-supports-webp', () => expect(kinds[2]).toBe('image/webp'));
  proves('2025-11-25/base/icon-renderer-supports-svg', () => expect(kinds[3]).toBe('image/svg+xml'));
  const lying = [
    await load(data('image/png', svg), { mimeType: 'image/png' }),
    await load(data('image/png', jpeg), { mimeType: 'image/png' }),
  ];
  proves('2025-11-25/security/icon-content-type-sniffed', () =>
    expect(lying).toEqual([
      'an icon is said to be image/png and is image/svg+xml',
      'an icon is said to be image/png and is image/jpeg',
    ]),
  );
  const others = [
    await load(data('image/png', '<html><script>')),
    await load(data('image/gif', 'GIF89a')),
    await load(data('image/png', '')),
    await load(data('image/png', '\x7fELF')),
  ];
  proves('2025-11-25/security/icon-type-allowlist', () =>
    expect(others).toEqual(others.map(() => 'an icon is no PNG, JPEG, WebP or SVG')),
  );
});

over(since, 'SVG images with scripts or external references are refused', async ({ proves }) => {
  const inside = [
    '<script>alert(1)</script>',
    '<circle onload="alert(1)"/>',
    '<a href="javascript:alert(1)"/>',
    '<image href="https://evil.example/a.png"/>',
    '<use xlink:href="//evil.example/#a"/>',
    '<foreignObject/>',
  ];
  const outcomes: string[] = [];
  for (const part of inside)
    outcomes.push(await load(data('image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg">${part}</svg>`)));
  outcomes.push(await load(data('image/svg+xml', '<?xml version="1.0"?><svg><!ENTITY a "x"></svg>')));
  proves('2025-11-25/security/icon-executable-content-guarded', () =>
    expect(outcomes).toEqual(outcomes.map(() => 'an icon holds more than a drawing')),
  );
});

over(since, 'icons over the limits are refused before they are decoded', async ({ proves }) => {
  const outcomes = [
    await load(data('image/png', png(60_000))),
    await load(data('image/png', png(16, 16, 5000))),
    await load(data('image/png', Buffer.concat([png(16), Buffer.alloc(300_000)]))),
    await load(data('image/png', png(48)), {}, { maxPixels: 32 }),
    await load(data('image/png', png(48).subarray(0, 12))),
  ];
  proves('2025-11-25/security/icon-processing-is-bounded', () =>
    expect(outcomes).toEqual([
      'an icon is larger than 2048 pixels',
      'an icon has more than 100 frames',
      'an icon has more than 262144 bytes',
      'an icon is larger than 32 pixels',
      'an icon is no PNG, JPEG, WebP or SVG',
    ]),
  );
});

/** Starts a web server in place of `https://icons.example`, with a fetch function for it. */
async function site(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const get: typeof fetch = (target, init) => {
    const { pathname, search, origin: from } = new URL(target instanceof Request ? target.url : target);
    if (from !== origin) throw new Error(`fetched from ${from}`);
    return fetch(`${local}${pathname}${search}`, init);
  };
  return { asked, get };
}

over(
  since,
  'an icon of the server is fetched without credentials, and from its origin only',
  async ({ proves }) => {
    const targets: Record<string, string> = {
      '/same': '/icon',
      '/scheme': 'http://icons.example/icon',
      '/local': 'file:///etc/passwd',
      '/port': 'https://icons.example:8443/icon',
      '/other': 'https://evil.example/icon',
      '/loop': '/loop',
    };
    const { asked, get } = await site(({ url = '' }, response) => {
      const target = targets[url];
      if (target !== undefined) response.writeHead(302, { location: target }).end();
      else if (url === '/endless') {
        response.writeHead(200);
        const more = (): void => {
          if (response.destroyed) return;
          response.write(Buffer.alloc(64 * 1024), more);
        };
        more();
      } else response.writeHead(url === '/icon' ? 200 : 404, { 'set-cookie': 'id=1' }).end(png(48));
    });
    const from = (path: string) => load(`${origin}${path}`, {}, { fetch: get });
    const [icon, followed] = [await from('/icon'), await from('/same')];
    proves('2025-11-25/security/icon-fetched-without-credentials', () => {
      expect([icon, followed]).toEqual(['image/png', 'image/png']);
      expect(
        asked.filter(({ headers }) => headers.cookie ?? headers.authorization ?? headers.referer),
      ).toEqual([]);
    });
    const schemes = [await from('/scheme'), await from('/local')];
    proves('2025-11-25/security/icon-scheme-change-redirect-rejected', () =>
      expect(schemes).toEqual(['an icon leads to another origin', 'an icon leads to another origin']),
    );
    const origins = [await from('/other'), await from('/port')];
    proves('2025-11-25/security/icon-cross-origin-redirect-rejected', () =>
      expect(origins).toEqual(['an icon leads to another origin', 'an icon leads to another origin']),
    );
    const bounded = [await from('/endless'), await from('/loop'), await from('/missing')];
    proves('2025-11-25/security/icon-processing-is-bounded', () =>
      expect(bounded).toEqual([
        'an icon has more than 262144 bytes',
        'an icon leads further than 3 times',
        'an icon was answered with status 404',
      ]),
    );
    const foreign = await load('https://evil.example/icon', {}, { fetch: get });
    proves('2025-11-25/security/icon-uri-same-origin-as-server', () =>
      expect(foreign).toBe('an icon must be a data: URI or come from the origin of its server'),
    );
  },
);
