import { expect, test } from 'vitest';
import { parseTag } from '../../src/repository/tag.ts';
import { scratch } from '../scratch.ts';

const { folder, git } = scratch();
git(folder, 'init', '-q');
git(folder, 'commit', '-q', '--allow-empty', '-m', 'one');
const commit = git(folder, 'rev-parse', 'HEAD').toString().trim();
const signature = '-----BEGIN SSH SIGNATURE-----\nabc\n-----END SSH SIGNATURE-----\n';

test('an annotated tag is read as it was made', () => {
  git(folder, 'tag', '-a', '-m', 'subject\n\nbody — text', 'v1/ü');
  expect(parseTag(git(folder, 'cat-file', 'tag', 'v1/ü'))).toEqual({
    object: commit,
    type: 'commit',
    name: 'v1/ü',
    tagger: { name: 'Ann Example', email: 'ann@example.org', time: expect.any(Number), zone: '+0000' },
    signature: undefined,
    message: 'subject\n\nbody — text\n',
  });
});

test('the signature at the end of a tag is no part of its message, as for git', () => {
  const quoted = `see\n${signature}said he\n`;
  const head = `object ${commit}\ntype commit\ntag v2\ntagger Ann <a@example.org> 1 +0000\n\n`;
  const input = Buffer.from(`${head}${quoted}${signature}`);
  const id = git(folder, 'hash-object', '-t', 'tag', '-w', '--stdin', { input }).toString().trim();
  git(folder, 'update-ref', 'refs/tags/v2', id);
  const visible = git(
    folder,
    'for-each-ref',
    '--format=%(contents:subject)%0a%(contents:body)',
    'refs/tags/v2',
  );
  const { message, signature: kind } = parseTag(input);
  expect([kind, message]).toEqual(['ssh', quoted]);
  expect(visible.toString().replaceAll(/\s+/g, ' ').trim()).toBe(message.replaceAll(/\s+/g, ' ').trim());
});

test('a tag of the first years has no tagger, and one of nothing is corrupt', () => {
  const old = parseTag(Buffer.from(`object ${commit}\ntype tree\ntag v0\n\nold\n`));
  expect([old.tagger, old.type, old.message]).toEqual([undefined, 'tree', 'old\n']);
  for (const text of ['', 'object x\ntype commit\n\n', `object ${commit}\ntype toy\n\n`])
    expect(() => parseTag(Buffer.from(text))).toThrow(expect.objectContaining({ code: 'corrupt-object' }));
});
