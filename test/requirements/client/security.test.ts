import { usableIcons } from '@rootbound/protocol/client';
import { expect } from 'vitest';
import { all, between } from '../revisions.ts';
import { over } from './world.ts';

const icon = (src: string) => ({ src });
const unsafe = [
  'javascript:alert(1)',
  'file:///etc/passwd',
  'ftp://example.com/a.png',
  'ws://example.com/a',
  'vscode://a',
  'http://example.com/a.png',
  'data:text/html,<script>',
  'not a url',
  'https://ann:pw@example.com/a.png',
];
const safe = ['https://example.com/a.png', 'data:image/png;base64,AA=='];

over(
  between('2025-11-25'),
  'icons that must not be loaded do not reach the caller',
  async ({ script, proves, stateless: modern }) => {
    const icons = [...unsafe, ...safe].map(icon);
    const serverInfo = { name: 's', version: '1', icons };
    const server = script({
      capabilities: { tools: {} },
      answers: {
        initialize: ({ params }) => ({
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo,
        }),
        'server/discover': () =>
          server.done({
            supportedVersions: ['2026-07-28'],
            capabilities: { tools: {} },
            _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
          }),
        'tools/list': () =>
          server.done({
            tools: [
              { name: 'a', inputSchema: { type: 'object' }, icons },
              { name: 'b', inputSchema: { type: 'object' }, icons: [7, {}, { src: 7 }] },
            ],
          }),
      },
    });
    const client = await server.connect();
    const tools = await client.listTools().catch(() => []);
    const plain = script({
      capabilities: { tools: {} },
      answers: {
        'tools/list': () => plain.done({ tools: [{ name: 'a', inputSchema: { type: 'object' }, icons }] }),
      },
    });
    const [tool] = tools.length > 0 ? tools : await (await plain.connect()).listTools();
    const sources = tool?.icons?.map(({ src }) => src);
    proves('2025-11-25/security/icon-data-is-untrusted', () =>
      expect(client.serverInfo?.icons?.map(({ src }) => src)).toEqual(safe),
    );
    proves('2025-11-25/security/icon-uri-is-https-or-data', () => expect(sources).toEqual(safe));
    proves('2025-11-25/security/icon-unsafe-scheme-rejected', () =>
      expect(unsafe.filter((src) => sources?.includes(src))).toEqual([]),
    );
    const origin = 'https://example.com/mcp';
    const foreign = [
      'https://evil.example/a.png',
      'https://example.com.evil.example/a.png',
      'https://example.com:8443/a.png',
      'https://sub.example.com/a.png',
    ];
    const usable = usableIcons([...foreign, ...safe].map(icon), origin).map(({ src }) => src);
    proves('2025-11-25/security/icon-uri-same-origin-as-server', () => expect(usable).toEqual(safe));
    proves('2025-11-25/security/icon-urls-from-same-or-trusted-domain', () =>
      expect(usableIcons(safe.map(icon), undefined).map(({ src }) => src)).toEqual([safe[1]]),
    );
    expect(modern).toBe(server.all('initialize').length === 0);
  },
);

over(all, 'clients of two servers share nothing', async ({ script, proves }) => {
  const serve = (name: string) => {
    const server = script({
      capabilities: { tools: {}, resources: { subscribe: true } },
      answers: {
        'tools/list': () =>
          server.done({ ttlMs: 60_000, tools: [{ name, inputSchema: { type: 'object' } }] }),
        'resources/subscribe': {},
      },
    });
    return server;
  };
  const [one, other] = [serve('one'), serve('other')];
  const heard: string[] = [];
  const first = await one.connect({
    roots: () => [{ uri: 'file:///secret' }],
    onNotification: () => heard.push('one'),
  });
  const second = await other.connect({ onNotification: () => heard.push('other') });
  const names = [await first.listTools(), await second.listTools()].map(([tool]) => tool?.name);
  other.say({ method: 'notifications/message', params: { level: 'info', data: 'x' } });
  await second.listTools({ fresh: true });
  proves('2024-11-05/security/client-keeps-servers-isolated', () => {
    expect([names, heard]).toEqual([['one', 'other'], ['other']]);
    expect(other.lines.join()).not.toContain('secret');
  });
  proves('2024-11-05/security/user-data-protected-by-access-controls', () =>
    expect(one.lines.concat(other.lines).join()).not.toContain('file:///secret'),
  );
  proves('2024-11-05/security/access-controls-and-data-protections', () =>
    expect(heard).not.toContain('one'),
  );
  proves('2024-11-05/security/privacy-considered-in-feature-design', () =>
    expect(one.all('roots/list')).toEqual([]),
  );
});
