// the documents of the checkout that are pages: their addresses, and their places in the sidebar
import { join } from 'node:path';
import { originOf } from '../../scripts/origin.mjs';

/** The address of the repository, for links to files that are no page. */
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

/** The sidebar: a group for each audience. */
export const sidebar = [
  {
    text: 'Use it',
    items: [
      entry('Overview', '/use'),
      entry('Start', '/use/start'),
      ...servers.map((name) => entry(`The ${name} server`, `/servers/${name}`)),
      entry('Clients', '/clients'),
    ],
  },
  { text: 'Reference', items: servers.map((name) => entry(`Reference: ${name}`, `/reference/${name}`)) },
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
    ],
  },
  {
    text: 'Architecture',
    items: [
      entry('Map', '/architecture'),
      ...['protocol', 'kit', ...servers].map((name) => entry(`Inside ${name}`, `/architecture/${name}`)),
      entry('Glossary', '/glossary'),
      entry('Dependencies', '/dependencies'),
      entry('Contradictions', '/contradictions'),
    ],
  },
  {
    text: 'Contribute',
    items: [
      entry('Contributing', '/build/contributing'),
      ...['commands', 'changes', 'tests', 'release'].map((name) =>
        entry(`Develop: ${name}`, `/develop/${name}`),
      ),
    ],
  },
  { text: 'Gaps', items: servers.map((name) => entry(`Gaps: ${name}`, `/${name}-gaps`)) },
];

/**
 * Returns the address of a document, as a path below the site, or undefined if it is no page.
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
