import { expect, test } from 'vitest';
import { bytesOfName } from '../../src/porcelain/names.ts';
import { parseTree } from '../../src/repository/tree.ts';
import { toOid } from '../../src/run/oid.ts';
import { scratch } from '../scratch.ts';

const { folder, git } = scratch();

const names = [
  'a b',
  ' lead',
  'tab\there',
  'new\nline',
  'caf\xe9',
  'caf\xc3\xa9',
  '"quoted"',
  '-x',
  'sub',
  'back\\slash',
];
const modes = ['100644', '100755', '120000', '40000', '160000', '100664', '100600', '100777'];

test.each(['sha1', 'sha256'])('a tree of %s holds what git lists, to the byte', (format) => {
  const repository = `${folder}/${format}`;
  git(folder, 'init', '-q', `--object-format=${format}`, repository);
  const id = git(repository, 'hash-object', '-t', 'tree', '-w', '--stdin').toString().trim();
  const entries = modes.flatMap((mode) =>
    names.map((name) => Buffer.from(`${mode} ${mode}${name}\0`, 'latin1')),
  );
  const tree = Buffer.concat(entries.flatMap((entry) => [entry, Buffer.from(id, 'hex')]));
  const oid = git(repository, 'hash-object', '-t', 'tree', '-w', '--literally', '--stdin', { input: tree });
  const listed = git(repository, 'ls-tree', '-z', oid.toString().trim())
    .toString('latin1')
    .split('\0')
    .slice(0, -1);
  const read = parseTree(tree, toOid(oid.toString().trim()));
  expect(
    read.map(
      (entry) => `${entry.mode} ${entry.type} ${entry.oid}\t${bytesOfName(entry.name).toString('latin1')}`,
    ),
  ).toEqual(listed);
});

test('a tree that is cut anywhere within an entry is corrupt', () => {
  const oid = toOid('a'.repeat(40));
  const tree = Buffer.concat([Buffer.from('100644 name\0'), Buffer.alloc(20, 1)]);
  expect(parseTree(tree, oid)).toHaveLength(1);
  expect(parseTree(tree.subarray(0, 0), oid)).toEqual([]);
  for (let length = 1; length < tree.length; length++)
    expect(() => parseTree(tree.subarray(0, length), oid)).toThrow(
      expect.objectContaining({ code: 'corrupt-object' }),
    );
});
