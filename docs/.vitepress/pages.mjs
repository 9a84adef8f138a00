// which documents of the checkout are pages, under which address, and where each stands in the sidebar
import { join } from 'node:path';
import { originOf } from '../../scripts/origin.mjs';

/** Where files are shown that are no page. */
export const REPOSITORY = originOf(join(import.meta.dirname, '..', '..'), '').registry.repository.url;

/** Addresses of pages by their paths from the top of the checkout; `:name` stands for any one folder. */
export const ADDRESSES = {
  'README.md': 'use/start.md',
  'CONTRIBUTING.md': 'build/contributing.md',
  'SECURITY.md': 'security/index.md',
  'servers/:name/README.md': 'servers/:name.md',
  'packages/:name/README.md': 'packages/:name.md',
  'docs/api/README.md': 'api/index.md',
  'docs/api/:package/src.md': 'api/:package/index.md',
  'docs/api/:package/src/:entry': 'api/:package/:entry',
  'docs/:folder/:page': ':folder/:page',
  'docs/:page': ':page',
};

const servers = ['filesystem', 'git', 'sqlite', 'fetch'];
const entry = (/** @type {string} */ text, /** @type {string} */ link) => ({ text, link });

/** The sidebar: a group for each audience, then what all of them look up. */
export const sidebar = [
  {
    text: 'Use it',
    items: [
      entry('Overview', '/use'),
      entry('Start', '/use/start'),
      ...servers.map((name) => entry(`The ${name} server`, `/servers/${name}`)),
    ],
  },
  {
    text: 'Operate it',
    items: [
      entry('Overview', '/operate'),
      entry('Security', '/security/'),
      ...servers.map((name) => entry(`Security: ${name}`, `/security/${name}`)),
      entry('Numbers', '/numbers'),
      entry('SQLite on Node 20', '/packages/sqlite-node20'),
    ],
  },
  {
    text: 'Build on it',
    items: [
      entry('Overview', '/build'),
      entry('The protocol package', '/packages/protocol'),
      entry('The kit', '/packages/kit'),
      entry('A new server', '/packages/create-server'),
      entry('API reference', '/api/'),
      entry('Architecture', '/architecture'),
      entry('Contributing', '/build/contributing'),
      entry('Dependencies', '/dependencies'),
      entry('Contradictions', '/contradictions'),
    ],
  },
  { text: 'Gaps', items: servers.map((name) => entry(`Gaps: ${name}`, `/${name}-gaps`)) },
];

/**
 * The address of a document, as a path below the site, or undefined where it is no page.
 * @param {string} path from the top of the checkout, with slashes
 * @returns {string | undefined}
 */
export function addressOf(path) {
  for (const [from, to] of Object.entries(ADDRESSES)) {
    const names = [...from.matchAll(/:(\w+)/g)].map(([, name]) => name);
    const found = new RegExp(`^${from.replaceAll('.', '\\.').replaceAll(/:\w+/g, '([^/]+)')}$`).exec(path);
    if (found === null || !path.endsWith('.md')) continue;
    return names.reduce((address, name, at) => address.replace(`:${name}`, found[at + 1] ?? ''), to);
  }
  return undefined;
}
