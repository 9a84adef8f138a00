import { expect, test } from 'vitest';
import { type Commit, parseCommit } from '../../src/repository/commit.ts';
import { scratch } from '../scratch.ts';

const tree = `tree ${'4b825dc642cb6eb9a060e54bf8d69288fbee4904'}\n`;
const person = 'Ann Example <ann@example.org> 1767225600 +0000';

/** A commit of these header lines, in bytes that are one character each. */
function commitOf(lines: readonly string[], message = 'one\n'): Buffer {
  return Buffer.from(`${tree}${lines.map((line) => `${line}\n`).join('')}\n${message}`, 'latin1');
}

const by = (author: string, committer = person) => [`author ${author}`, `committer ${committer}`];

/** The output of git for a commit, in the order of `format`. */
function printed(commit: Commit): string[] {
  const { author, committer } = commit;
  const idents = [author, committer].flatMap((ident) => [ident?.name ?? '', ident?.email ?? '']);
  return [commit.tree, commit.parents.join(' '), ...idents, commit.encoding ?? '', commit.message];
}
const format = '%T%x00%P%x00%an%x00%ae%x00%cn%x00%ce%x00%e%x00%B';

const { folder, git } = scratch();
git(folder, 'init', '-q');
// the empty tree
git(folder, 'mktree');

function write(commit: Buffer): string {
  const id = git(folder, 'hash-object', '-t', 'commit', '-w', '--literally', '--stdin', { input: commit });
  return id.toString().trim();
}

function gitReads(commit: Buffer, as = format): string[] {
  const visible = git(folder, 'log', '--no-walk', '--encoding=UTF-8', `--format=${as}%x00`, write(commit));
  return visible.toString().split('\0').slice(0, -1);
}

test.each<[string, Buffer]>([
  ['plain', commitOf(by(person))],
  ['without a name', commitOf(by(' <ann@example.org> 1767225600 +0000'))],
  ['with no space before the mail', commitOf(by('Ann<ann@example.org> 1767225600 +0000'))],
  ['with spaces around the name', commitOf(by('  Ann  Example   <ann@example.org> 1767225600 +0000'))],
  [
    'whose name ends in a byte that Latin-1 has a space for',
    commitOf(by('Zo\xc3\xa0 <z@example.org> 1 +0000')),
  ],
  ['with an empty mail', commitOf(by('Ann <> 1767225600 +0000'))],
  ['with brackets in the mail', commitOf(by('Ann <a<b>c> 1767225600 +0000'))],
  ['with a message of many lines', commitOf(by(person), '\n\nsubject\n\nbody \n\n\n  tail')],
  ['without a message', commitOf(by(person), '')],
  ['with a header of many lines', commitOf([...by(person), 'odd one', '  two', ' '], 'm\n')],
  [
    'in Latin-1',
    commitOf([...by('J\xf6rg <j@example.org> 1 +0100'), 'encoding ISO-8859-1'], 'gr\xfc\xdfe \x80\n'),
  ],
  ['in Windows-1251', commitOf([...by(person), 'encoding cp1251'], '\xcf\xf0\xe8\xe2\xe5\xf2\n')],
  ['in Shift-JIS', commitOf([...by(person), 'encoding CP932'], '\x83e\x83X\x83g\n')],
  ['in EUC-JP', commitOf([...by(person), 'encoding EUC-JP'], '\xa5\xc6\xa5\xb9\xa5\xc8\n')],
  ['in UTF-8', commitOf(by('J\xc3\xb6rg <j@example.org> 1 +0100'), 'gr\xc3\xbc\xc3\x9fe\n')],
  [
    'in an encoding that nobody knows',
    commitOf([...by(person), 'encoding klingon'], 'gr\xc3\xbc\xc3\x9fe\n'),
  ],
  [
    'signed',
    commitOf([
      ...by(person),
      'gpgsig -----BEGIN PGP SIGNATURE-----',
      ' ',
      ' abc',
      ' -----END PGP SIGNATURE-----',
    ]),
  ],
  ['with parents', commitOf([`parent ${'a'.repeat(40)}`, `parent ${'b'.repeat(40)}`, ...by(person)])],
])('a commit %s is read as git reads it', (_, commit) => {
  expect(printed(parseCommit(commit))).toEqual(gitReads(commit));
});

test.each([
  ['1767225600 +0000', 1_767_225_600, '+0000'],
  ['0 -0000', 0, '-0000'],
  ['1767225600 +051800', 1_767_225_600, '+051800'],
  ['1767225600   -1200', 1_767_225_600, '-1200'],
  ['1767225600', undefined, undefined],
  ['yesterday', undefined, undefined],
  ['-5 +0000', undefined, undefined],
  ['99999999999999999999999 +0000', undefined, '+0000'],
  ['', undefined, undefined],
])('a date of %j is read where git finds one', (date, time, zone) => {
  const commit = parseCommit(commitOf(by(`Ann <ann@example.org> ${date}`)));
  expect(commit.author).toEqual({ name: 'Ann', email: 'ann@example.org', time, zone });
  const [seconds] = gitReads(commitOf(by(`Ann <ann@example.org> ${date}`)), '%at');
  if (time !== undefined) expect(seconds).toBe(String(time));
});

test('what is in no known encoding is read as Latin-1, and no byte is lost', () => {
  const bytes = commitOf(by('J\xf6rg <j@example.org> 1 +0100'), 'gr\xfc\xdfe\n');
  const { author, message } = parseCommit(bytes);
  expect([author?.name, message]).toEqual(['Jörg', 'grüße\n']);
});

test('a signature is named by its form, and merged tags are kept whole', () => {
  const tag = ['object 1', 'type commit', 'tag v1', '', 'signed'];
  const lines = [`mergetag ${tag[0]}`, ...tag.slice(1).map((line) => ` ${line}`)];
  const forms = ['PGP SIGNATURE', 'SSH SIGNATURE', 'SIGNED MESSAGE', 'LOVE LETTER'];
  const commits = forms.map((form) =>
    parseCommit(commitOf([...by(person), ...lines, `gpgsig -----BEGIN ${form}-----`, ' x'])),
  );
  expect(commits.map((commit) => commit.signature)).toEqual(['openpgp', 'ssh', 'x509', undefined]);
  expect(commits[0]!.mergeTags).toEqual([tag.join('\n')]);
});

test('a commit without an author has none, and one without a tree is corrupt', () => {
  expect(parseCommit(commitOf([])).author).toBeUndefined();
  expect(() => parseCommit(Buffer.from('author x\n\n'))).toThrow(
    expect.objectContaining({ code: 'corrupt-object' }),
  );
  expect(() => parseCommit(commitOf(['parent x']))).toThrow(
    expect.objectContaining({ code: 'corrupt-object' }),
  );
});
