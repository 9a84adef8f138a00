import { createServer } from 'node:http';

/** Loopback addresses that serve as hosts; not every resolver resolves names to loopback. */
export const HOSTS = Array.from({ length: 50 }, (_, index) => `127.0.0.${index + 1}`);

/**
 * A site on several loopback addresses; the first part of a path selects the page.
 * @param {Record<string, string>} pages
 * @param {Record<string, string>} [headers]
 */
export async function startSite(pages, headers = { 'cache-control': 'no-store' }) {
  /** @type {import('node:http').RequestListener} */
  const answer = (request, response) => {
    const content = pages[/^\/(\w*)/.exec(request.url ?? '')?.[1] ?? ''];
    if (content === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(content);
  };
  const servers = HOSTS.map(() => createServer(answer));
  let port = 0;
  for (const [index, server] of servers.entries()) {
    await new Promise((resolve) => server.listen(port, HOSTS[index], () => resolve(undefined)));
    port = /** @type {import('node:net').AddressInfo} */ (server.address()).port;
  }
  let count = 0;
  return {
    port,
    /**
     * Returns a URL of a page that was not requested before.
     * @param {string} page
     * @param {string} [host]
     */
    fresh: (page, host = '127.0.0.1') => {
      count += 1;
      return `http://${host}:${port}/${page}?${count}`;
    },
    close: () => {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/**
 * Returns an article of about this size with headings, lists, tables, code and links.
 * @param {number} bytes
 */
export function articleOf(bytes) {
  const words =
    'Kettles are filled with <a href="/water">water</a>, which is <em>heated</em> until it boils, ';
  /** @type {string[]} */
  const parts = [];
  for (let index = 0, length = 0; length < bytes - 800; index += 1) {
    const part = `<h2>Part ${index}</h2><p>${words.repeat(3)}and so on.</p><p>${words.repeat(4)}at last.</p>
<ul><li>First of ${index}</li><li>Second, with <code>code</code></li><li><strong>Third</strong></li></ul>
<table><thead><tr><th>Name</th><th>Price</th></tr></thead><tbody><tr><td>Kettle ${index}</td><td>12</td></tr></tbody></table>
<pre><code class="language-js">const kettle = ${index};</code></pre>`;
    parts.push(part);
    length += part.length;
  }
  return `<!doctype html><html lang="en"><head><title>Kettles</title></head><body><nav><a href="/">Home</a></nav>
<main><article><h1>Kettles</h1>${parts.join('\n')}<p>End of the article</p></article></main><footer>All rights reserved</footer></body></html>`;
}

/** Pages on which converters overflow, hang or take long. */
export const hostile = {
  columns: '<table><tr><td colspan=1000000>a<td>b</table>',
  boxes: `${'<div>'.repeat(10_000)}deep`,
  lists: '<ul><li>'.repeat(3000),
  bold: '<b>'.repeat(20_000),
  rows: `<table>${'<tr><td>a<td>b'.repeat(5000)}</table>`,
  anchors: '<a href="/x">y</a> '.repeat(50_000),
};
