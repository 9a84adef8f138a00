// lists the content of a release: the packages as npm would get them now, and the changesets that wait for a version
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manifestOf, publicWorkspaces } from './origin.mjs';
import { pnpm, root } from './setup.mjs';
import { visible } from './visible.mjs';

/** @typedef {{ name: string, kind: string, summary: string }} Change */
/** @typedef {{ changes: Change[], versions: string[] }} Pending versions: the raised ones, as `name: old to new` */
/** @typedef {{ id: string, name: string, size: number, unpackedSize: number, entryCount: number }} Seen by npm */

/**
 * Packs the published packages and lists them, as text for a terminal.
 * @returns {Promise<string>}
 */
export async function listRelease() {
  const folder = mkdtempSync(join(tmpdir(), 'rootbound-release-'));
  try {
    const workspaces = publicWorkspaces(root);
    const filters = workspaces.map((workspace) => `--filter=./${workspace}`);
    pnpm(['pnpm', ...filters, 'pack', '--pack-destination', folder], { quiet: true });
    const tarballs = readdirSync(folder).map((name) => `file:${join(folder, name)}`);
    const seen = execFileSync('npm', ['pack', '--dry-run', '--json', ...tarballs], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const manifests = workspaces.map((workspace) => manifestOf(root, workspace));
    const rows = JSON.parse(seen).map((/** @type {Seen} */ one) => rowOf(one, manifests));
    return [
      'npm run release would publish these packages, unless npm has their versions:',
      table([['package', 'packed', 'unpacked', 'files', 'access', 'provenance', 'tag'], ...rows]),
      renderPending(await pendingIn(root)),
      'A real run also runs the tests, and tags each package that it publishes. Provenance needs a workflow on GitHub.',
    ].join('\n\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the changesets of a checkout, and the versions that they raise.
 * @param {string} checkout
 * @returns {Promise<Pending>}
 */
export async function pendingIn(checkout) {
  // this part of changesets works without a git history
  const program = createRequire(createRequire(join(root, 'package.json')).resolve('@changesets/cli'));
  const { default: getReleasePlan } = program('@changesets/get-release-plan');
  const published = publicWorkspaces(checkout).map((workspace) => manifestOf(checkout, workspace).name);
  const { changesets, releases } = await getReleasePlan(checkout);
  return {
    changes: changesets.map((/** @type {any} */ { id, summary, releases: raised }) => ({
      name: id,
      kind: ['major', 'minor', 'patch'].find((kind) =>
        raised.some((/** @type {any} */ { type }) => type === kind),
      ),
      // the first sentence; the changelog has the whole text
      summary: /^.*?(?:[.:;](?= |$)|$)/m.exec(summary)?.[0] ?? '',
    })),
    versions: releases
      .filter((/** @type {any} */ { name, type }) => type !== 'none' && published.includes(name))
      .map((/** @type {any} */ { name, oldVersion, newVersion }) => `${name}: ${oldVersion} to ${newVersion}`)
      .sort(),
  };
}

/**
 * @param {Pending} pending
 * @returns {string}
 */
export function renderPending({ changes, versions }) {
  if (changes.length === 0) return 'No changeset waits for a version.';
  const rows = changes.map((change) => [change.name, change.kind, change.summary].map(visible));
  return [
    'Changesets that wait; npm run versions includes them in a version first:',
    table(rows, []),
    'It raises:',
    versions.map((line) => `  ${visible(line)}`).join('\n'),
  ].join('\n\n');
}

/**
 * @param {Seen} seen
 * @param {import('./origin.mjs').Manifest[]} manifests
 */
function rowOf({ id, name, size, unpackedSize, entryCount }, manifests) {
  const { publishConfig = {} } = manifests.find((manifest) => manifest.name === name) ?? {};
  const { access = 'restricted', provenance = false, tag = 'latest' } = publishConfig;
  return [
    id,
    ...[size, unpackedSize, entryCount].map((count) => count.toLocaleString('en')),
    access,
    provenance ? 'yes' : 'no',
    tag,
  ];
}

/**
 * Renders rows with aligned columns.
 * @param {string[][]} rows
 * @param {number[]} numbers the columns that are aligned on the right
 */
function table(rows, numbers = [1, 2, 3]) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          numbers.includes(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column]),
        )
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `  ${line}`)
    .join('\n');
}
