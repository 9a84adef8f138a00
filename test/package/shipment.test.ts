import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { manifestOf, publicWorkspaces } from '../../scripts/origin.mjs';
import { pendingIn, renderPending } from '../../scripts/shipment.mjs';
import { blocksOf, document } from '../docs/documents.ts';
import { full } from '../extent.ts';
import { packAll, root } from './packages.ts';

const names = publicWorkspaces(root).map((workspace) => manifestOf(root, workspace).name);

/**
 * Maximum difference in bytes between two tarballs of the same files: pnpm writes workspace dependencies in the order in
 * which it read them, which changes the compressed size.
 */
const MOST_APART = 100;

// everything is packed twice
if (full)
  describe('the dry run of a release', () => {
    let folder: string;
    let output: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'rootbound-shipment-'));
      const program = [join(root, 'scripts', 'release.mjs'), '--dry-run', '--only-run'];
      output = execFileSync(process.execPath, program, {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test('lists every package with the size of its tarball, and the way it would be published', () => {
      const packed = packAll(names, folder).map((tarball) => {
        const entries = execFileSync('tar', ['-tvzf', tarball], { encoding: 'utf8' }).trim().split('\n');
        const unpacked = entries.reduce((sum, entry) => sum + Number(entry.split(/\s+/)[2]), 0);
        const manifest = execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], {
          encoding: 'utf8',
        });
        const { name, version } = JSON.parse(manifest) as { name: string; version: string };
        const counts = [unpacked, entries.length].map((count) => count.toLocaleString('en'));
        const rest = [...counts, 'public', 'yes', 'latest'].join(' ');
        return { id: `${name}@${version}`, size: statSync(tarball).size, rest };
      });
      const listed = output.split('\n').flatMap((line) => {
        const [, id, size, rest] = /^ {2}(@\S+@\d\S*) +([\d,]+) +(.+)$/.exec(line) ?? [];
        if (id === undefined || size === undefined || rest === undefined) return [];
        return [{ id, size: Number(size.replaceAll(',', '')), rest: rest.replaceAll(/ +/g, ' ') }];
      });
      const withoutSize = (rows: typeof listed): string[] =>
        rows.map(({ id, rest }) => `${id} ${rest}`).toSorted();
      expect(withoutSize(listed)).toEqual(withoutSize(packed));
      for (const { id, size } of packed) {
        const listedSize = listed.find((row) => row.id === id)!.size;
        expect([id, Math.abs(size - listedSize) < MOST_APART]).toEqual([id, true]);
      }
      expect(packed).toHaveLength(names.length);
    });

    test('is the block of the page of releases, except for numbers', () => {
      const masked = (line: string): string => line.replaceAll(/\d[\d,.]*/g, '0').replaceAll(/ +/g, ' ');
      const example = blocksOf(document('docs/develop/release.md')).find(({ text }) =>
        text.includes('would publish'),
      )!;
      const lines = output.split('\n').map(masked);
      expect(
        example.text
          .trim()
          .split('\n')
          .map(masked)
          .filter((line) => !lines.includes(line)),
      ).toEqual([]);
      expect(example.text.match(/@rootbound\/\S+@/g)).toHaveLength(names.length);
    });

    test('lists the changesets of the checkout', async () => {
      expect(output).toContain(renderPending(await pendingIn(root)));
    });
  });

test('a pending changeset is listed with its kind, its first sentence and the new version', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'rootbound-pending-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  const workspaces = [...publicWorkspaces(root), 'packages/create-server/template', 'test'];
  for (const workspace of workspaces) mkdirSync(join(copy, workspace), { recursive: true });
  const manifests = ['.', ...workspaces].map((workspace) => join(workspace, 'package.json'));
  for (const file of [...manifests, 'pnpm-workspace.yaml', '.changeset/config.json']) {
    cpSync(join(root, file), join(copy, file));
  }
  expect(renderPending(await pendingIn(copy))).toBe('No changeset waits for a version.');

  writeFileSync(
    join(copy, '.changeset', 'kettles.md'),
    "---\n'@rootbound/kit': patch\n'@rootbound/protocol': major\n---\n\nKettles boil. They did not.\n",
  );
  const rendered = renderPending(await pendingIn(copy));
  expect(rendered).toContain('\n  kettles  major  Kettles boil.\n');
  const [major] = manifestOf(root, 'packages/kit').version.split('.');
  for (const name of names)
    expect(rendered).toContain(
      `  ${name}: ${manifestOf(root, 'packages/kit').version} to ${Number(major) + 1}.0.0`,
    );
});
