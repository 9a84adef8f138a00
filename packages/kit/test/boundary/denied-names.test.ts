import { join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultDeny, isDenyGlob, type Root, Scope } from '../../src/boundary.ts';

const at = (path: string): string => path.replaceAll('/', sep);

function rootAt(path: string): Root {
  return { path: at(path), real: at(path), readOnly: false, uri: '', name: '' };
}

function scopeOf(
  deny: readonly string[],
  roots: readonly string[] = ['/srv'],
  anchors?: readonly string[],
): Scope {
  return new Scope({
    roots: roots.map(rootAt),
    reason: '',
    containment: 'best-effort',
    deny,
    ...(anchors && { anchors: anchors.map(at) }),
  });
}

const hides = (deny: readonly string[], path: string, roots?: readonly string[]): boolean =>
  scopeOf(deny, roots).hides(at(path));

describe('by default', () => {
  test.each([
    '.env',
    '.env.local',
    '.env.production',
    '.envrc',
    'app/.env',
    'server.key',
    'privkey.pem',
    'cert.p12',
    'cert.pfx',
    'a/b/keystore.jks',
    'debug.keystore',
    'AuthKey_1.p8',
    'putty.ppk',
    'all.kdbx',
    'id_rsa',
    'id_dsa',
    'id_ecdsa',
    'id_ed25519',
    '.ssh',
    '.ssh/known_hosts',
    'home/.gnupg/x',
    '.aws/credentials',
    '.aws/sso/cache/1.json',
    '.azure/x',
    '.config/gcloud',
    'x/.config/gcloud/access_tokens.db',
    '.config/gh/hosts.yml',
    '.kube/config',
    '.docker/config.json',
    '.netrc',
    '_netrc',
    '.npmrc',
    '.pypirc',
    '.pgpass',
    '.git-credentials',
    '.htpasswd',
    'credentials.json',
    'service-account.json',
    'service-account-prod.json',
    'client_secret_1.apps.json',
    '.bash_history',
    '.zsh_history',
    '.python_history',
    '.git',
    '.git/config',
    '.git/hooks/pre-commit',
    'sub/.git',
    'sub/.git/HEAD',
    '.hg/hgrc',
    'GIT~1',
  ])('%s is denied', (path) => {
    expect(hides(defaultDeny, join('/srv', path))).toBe(true);
  });

  test.each([
    '.env.example',
    '.env.sample',
    '.env.template',
    '.env.dist',
    'environment',
    'env',
    'prod.env',
    '.environment',
    'id_rsa.pub',
    'id_ed25519.pub',
    'chain.pem',
    'fullchain.pem',
    'cacert.pem',
    'ca.crt',
    '.gitignore',
    '.github',
    '.gitattributes',
    '.gitmodules',
    'git',
    'x.git',
    '.config/other',
    '.kube',
    '.kube/other',
    '.docker/Dockerfile',
    '.docker/a/config.json',
    'key',
    'keys.ts',
    'monkey',
    'pem',
    'a.keys',
    'credentials.ts',
    'package.json',
    '.history',
    '_history',
    'aws/credentials',
    'service-account.ts',
    '.cargo/config.toml',
    'client_secret.ts',
    '.yarnrc.yml',
  ])('%s is not', (path) => {
    expect(hides(defaultDeny, join('/srv', path))).toBe(false);
  });
});

describe('one name is denied in every spelling that some file system takes for it:', () => {
  test.each([
    ['.env', '.ENV'],
    ['.env', '.Env'],
    ['.env', '.env.'],
    ['.env', '.env ...'],
    ['.env', '.env '],
    ['.env', '.env::$DATA'],
    ['.env', '.env:stream'],
    ['.env', '.env .:x'],
    ['.git', '.GIT'],
    ['.git', '.g\u200cit'],
    ['.git', '.git\ufeff'],
    ['.git', '.git:x/config'],
    ['.git', '.Git./config'],
    ['.ssh', '.\u017fsh'],
    ['.kube', '.\u212aube'],
    ['*.pem', 'a.PEM'],
    ['*.pem', 'a.pem.'],
    ['*.pem', 'a.pem:Zone.Identifier'],
    ['caf\u00e9', 'cafe\u0301'],
    ['cafe\u0301', 'caf\u00e9'],
    ['CAF\u00c9', 'cafe\u0301'],
    ['stra\u00dfe', 'STRASSE'],
    ['**/.config/gcloud', '.CONFIG/gcloud'],
    ['**/.config/gcloud', '.config./gcloud'],
    ['**/.config/gcloud', '.config::$INDEX_ALLOCATION/gcloud.'],
  ])('%j hides %j', (glob, path) => {
    expect(hides([glob], join('/srv', path))).toBe(true);
  });
});

describe('a pattern', () => {
  test.each<[string, string, boolean]>([
    ['secret', '/srv/secret', true],
    ['secret', '/srv/a/b/secret/c', true],
    ['secret', '/srv/secrets', false],
    ['secret/', '/srv/a/secret/c', true],
    ['/secret', '/srv/secret/a', true],
    ['/secret', '/srv/a/secret', false],
    ['build/secrets', '/srv/build/secrets/a', true],
    ['build/secrets', '/srv/a/build/secrets', false],
    ['build/secrets', '/srv/build', false],
    ['**/build/secrets', '/srv/a/b/build/secrets', true],
    ['build/**', '/srv/build/a/b', true],
    ['build/**', '/srv/build', false],
    ['a/**/z', '/srv/a/z', true],
    ['a/**/z', '/srv/a/b/c/z', true],
    ['a/**/z', '/srv/b/z', false],
    ['a/*/z', '/srv/a/b/z', true],
    ['a/*/z', '/srv/a/b/c/z', false],
    ['*.k?y', '/srv/a.kxy', true],
    ['*.k?y', '/srv/a.key.b', false],
    ['[ab]x', '/srv/bx', true],
    ['[!ab]x', '/srv/bx', false],
    ['[!ab]x', '/srv/cx', true],
    ['[a-c]x', '/srv/BX', true],
    ['[]]x', '/srv/]x', true],
    ['[*]', '/srv/*', true],
    ['[*]', '/srv/a', false],
    ['a*b*c', '/srv/aXbYc', true],
    ['a*b*c', '/srv/aXcYb', false],
    ['*', '/srv/anything', true],
    ['*', '/srv', false],
    ['a?c', '/srv/a\u{1f600}c', true],
    ['Secret', '/srv/sECRET', true],
    ['secret', '/other/secret', false],
    ['x.y', '/srv/xzy', false],
  ])('%s on %s: %s', (glob, path, hidden) => {
    expect(hides([glob], path)).toBe(hidden);
  });

  test('that begins with ! lifts what earlier ones deny, by name and by path, and nothing below a denied folder', () => {
    const deny = ['*.log', '!keep.log', 'a/*', '!a/b', 'keep.logs', '.d', '!.d/x'];
    expect(hides(deny, '/srv/x.log')).toBe(true);
    expect(hides(deny, '/srv/keep.log')).toBe(false);
    expect(hides(deny, '/srv/a/c')).toBe(true);
    expect(hides(deny, '/srv/a/b')).toBe(false);
    expect(hides(deny, '/srv/.d/x')).toBe(true);
    expect(hides(['!keep.log', '*.log'], '/srv/keep.log')).toBe(true);
  });

  test('of many stars costs no more than its length times that of the name', () => {
    const scope = scopeOf([`${'*a'.repeat(400)}b`, `${'**/a/'.repeat(60)}b`]);
    expect(scope.hides(at(`/srv/${'a'.repeat(4000)}`))).toBe(false);
    expect(scope.hides(at(`/srv/${'a/'.repeat(2040)}a`))).toBe(false);
  });
});

test('what a file system calls the name of one folder is told by the test for that folder', () => {
  const scope = scopeOf(defaultDeny);
  const names = ['.env', 'a.ts', '.git', '.GIT', '.env.example', 'x.pem'];
  expect(names.filter(scope.hiddenIn(at('/srv/a')))).toEqual(['.env', '.git', '.GIT', 'x.pem']);
  expect(names.filter(scope.hiddenIn(at('/elsewhere')))).toEqual([]);
  expect(['config', 'x'].filter(scope.hiddenIn(at('/srv/.kube')))).toEqual(['config']);
  expect(['config', 'x'].filter(scope.hiddenIn(at('/srv/.git')))).toEqual(['config', 'x']);
});

describe('a root', () => {
  test('that the patterns would deny is the will of the operator, and they hold below it', () => {
    expect(hides(defaultDeny, '/home/.ssh', ['/home/.ssh'])).toBe(false);
    expect(hides(defaultDeny, '/home/.ssh/config', ['/home/.ssh'])).toBe(false);
    expect(hides(defaultDeny, '/home/.ssh/id_rsa', ['/home/.ssh'])).toBe(true);
  });

  test('inside another one wins over it, and the folders between stay denied', () => {
    const roots = ['/home', '/home/.ssh/keys'];
    expect(hides(defaultDeny, '/home/.ssh/keys', roots)).toBe(false);
    expect(hides(defaultDeny, '/home/.ssh/keys/a.txt', roots)).toBe(false);
    expect(hides(defaultDeny, '/home/.ssh/keys/a.pem', roots)).toBe(true);
    expect(hides(defaultDeny, '/home/.ssh', roots)).toBe(true);
    expect(hides(defaultDeny, '/home/.ssh/config', roots)).toBe(true);
  });

  test('at the top of the file system is no different', () => {
    expect(hides(defaultDeny, '/', ['/'])).toBe(false);
    expect(hides(defaultDeny, '/etc/.env', ['/'])).toBe(true);
    expect(hides(['etc/shadow'], '/etc/shadow', ['/'])).toBe(true);
  });

  test('is meant alone: its name elsewhere stays denied', () => {
    const roots = ['/srv', '/srv/app/.ssh'];
    expect(hides(defaultDeny, '/srv/app/.ssh', roots)).toBe(false);
    expect(hides(defaultDeny, '/srv/app/src/.ssh', roots)).toBe(true);
    expect(hides(defaultDeny, '/srv/.ssh', roots)).toBe(true);
  });

  test('inside another one does not end the reach of paths', () => {
    expect(hides(['build/secrets'], '/srv/build/secrets', ['/srv', '/srv/build'])).toBe(true);
  });
});

test('patterns begin at the anchors when these are not the roots', () => {
  const scope = scopeOf(['build/secrets'], ['/srv/build'], ['/srv']);
  expect(scope.hides(at('/srv/build/secrets'))).toBe(true);
  const again = new Scope(structuredClone(scope));
  expect(again.hides(at('/srv/build/secrets'))).toBe(true);
});

test.each<[string, string, boolean]>([
  ['/srv/build', '/srv/other', false],
  ['/srv/other', '/srv/build', true],
  ['/srv/other', '/srv/another', true],
  ['/srv/.kube', '/srv/kube', false],
  ['/srv/home', '/srv/house', true],
  ['/srv/plain', '/srv/open', false],
])('a folder that goes from %s to %s keeps what is denied in it: %s', (from, to, keeps) => {
  const deny = ['build/secrets', '**/.kube/config', '*.log', '!open/*.log'];
  expect(scopeOf(deny).hidesAfterMove(at(from), at(to))).toBe(keeps);
});

test.each([
  '*.key',
  'a/b',
  '/a',
  'a/',
  '**/a',
  'a/**/b',
  '**',
  '!a',
  '!a/b',
  '[ab]',
  '[!a]',
  '[]]',
  'a b',
  'é',
  '...',
  '.a',
  'a..b',
])('%j is a pattern', (text) => {
  expect(isDenyGlob(text)).toBe(true);
});

test.each([
  '',
  '!',
  '/',
  '!/',
  '//',
  'a//b',
  '.',
  '..',
  'a/..',
  './a',
  'a**',
  '**a',
  '***',
  '[',
  '[]',
  '[a',
  'a]',
  'a\\b',
  '{a,b}',
  'a\0',
  '[a/b]',
  '!!/',
  'x'.repeat(1025),
])('%j is none', (text) => {
  expect(isDenyGlob(text)).toBe(false);
});
