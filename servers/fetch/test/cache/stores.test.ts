import { Buffer } from 'node:buffer';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { FileStore, type FileStoreOptions } from '../../src/cache/file-store.ts';
import { keyOf } from '../../src/cache/keys.ts';
import { MemoryStore } from '../../src/cache/memory-store.ts';
import type { StoredResponse } from '../../src/cache/stored-response.ts';
import { begin, Origin, requestOf } from './origin.ts';

const folders: string[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rootbound-cache-test-'));
  folders.push(folder);
  return folder;
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const key = (n: number) => n.toString(16).padStart(2, '0').repeat(32);
const variant = 'ab'.repeat(8);

function storedOf(body = 'body', parts: Partial<StoredResponse> = {}): StoredResponse {
  return {
    owner: 'ann',
    configuration: '',
    url: 'https://example.com/',
    identity: 'autonomous',
    policy: 'follow',
    finalUrl: 'https://example.com/',
    redirects: [],
    status: 200,
    headers: { etag: '"1"' },
    vary: {},
    requestedAt: begin,
    receivedAt: begin,
    body: Buffer.from(body),
    ...parts,
  };
}

const bodies = (found: readonly StoredResponse[]) => found.map(({ body }) => Buffer.from(body).toString());

/** Returns the files below the folder, without those of the boundary itself. */
function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.map((name) => join(folder, name)).filter((path) => statSync(path).isFile());
}

const open = (folder: string, options: Partial<FileStoreOptions> = {}) => {
  const errors: unknown[] = [];
  return { store: new FileStore({ folder, onError: (error) => errors.push(error), ...options }), errors };
};

describe.each([
  ['memory', () => new MemoryStore()],
  ['files', () => open(newFolder()).store],
])('a store in %s', (_kind, make) => {
  test('returns the responses of a key, and none for other keys', async () => {
    const store = make();
    const stored = storedOf('ä\n\0', {
      vary: { accept: null },
      redirects: [{ url: 'https://a.example/', status: 301 }],
    });
    await store.put(key(1), variant, stored);
    expect(await store.find(key(1))).toEqual([stored]);
    expect(await store.find(key(2))).toEqual([]);
  });

  test('stores variants side by side and replaces each by its own', async () => {
    const store = make();
    await store.put(key(1), variant, storedOf('one'));
    await store.put(key(1), 'cd'.repeat(8), storedOf('other'));
    await store.put(key(1), variant, storedOf('two'));
    expect(bodies(await store.find(key(1))).sort()).toEqual(['other', 'two']);
    await store.remove(key(1), variant);
    expect(bodies(await store.find(key(1)))).toEqual(['other']);
    await store.remove(key(1));
    expect(await store.find(key(1))).toEqual([]);
  });

  test('works as the store of the cache', async () => {
    const origin = new Origin(make()).will({ headers: { 'cache-control': 'max-age=60' } });
    await origin.fetch();
    expect(await origin.read()).toBe('body from cache');
    await origin.fetch({ method: 'POST' });
    expect(await origin.read()).toBe('body from network');
  });
});

describe('memory', () => {
  test('is bounded: the least recently used response is removed first', async () => {
    const store = new MemoryStore({ bytes: 40_000 });
    const large = 'x'.repeat(10_000);
    for (const n of [1, 2, 3]) await store.put(key(n), variant, storedOf(large));
    await store.find(key(1));
    await store.put(key(4), variant, storedOf(large));
    const left = await Promise.all([1, 2, 3, 4].map(async (n) => (await store.find(key(n))).length));
    expect([left, store.bytes <= 40_000]).toEqual([[1, 0, 1, 1], true]);
    await store.put(key(5), variant, storedOf('x'.repeat(50_000)));
    expect(await store.find(key(5))).toEqual([]);
  });
});

describe('files', () => {
  test('are there for the next process, in a form that tells nothing by its names', async () => {
    const folder = newFolder();
    await open(folder).store.put(key(1), variant, storedOf());
    expect(bodies(await open(folder).store.find(key(1)))).toEqual(['body']);
    const [path] = filesIn(folder);
    expect(path!.slice(folder.length)).toBe(
      `/rootbound-fetch/${key(1).slice(0, 2)}/${key(1).slice(2)}-${variant}`,
    );
  });

  test.skipIf(process.platform === 'win32')(
    'and their folders are accessible for this user only',
    async () => {
      const folder = newFolder();
      mkdirSync(join(folder, 'rootbound-fetch'), { mode: 0o755 });
      await open(folder).store.put(key(1), variant, storedOf('x'.repeat(2_000_000)));
      const modes = (path: string) => statSync(path).mode & 0o777;
      const [path] = filesIn(folder);
      expect(modes(path!)).toBe(0o600);
      expect(modes(join(folder, 'rootbound-fetch'))).toBe(0o700);
      expect(modes(join(folder, 'rootbound-fetch', '01'))).toBe(0o700);
    },
  );

  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['empty', () => Buffer.alloc(0)],
    ['cut', (bytes) => bytes.subarray(0, bytes.length - 1)],
    ['longer', (bytes) => Buffer.concat([bytes, Buffer.from('x')])],
    ['of another body', (bytes) => Buffer.concat([bytes.subarray(0, -4), Buffer.from('BODY')])],
    ['without an end of its head', (bytes) => bytes.subarray(0, 20)],
    ['no JSON', () => Buffer.from('nonsense\nbody')],
    ['of another form', (bytes) => Buffer.from(bytes.toString().replace('"form":1', '"form":0'))],
    ['with fields that are no text', (bytes) => Buffer.from(bytes.toString().replace('"\\"1\\""', '1'))],
  ])('that are %s count as absent and are removed', async (_name, damage) => {
    const folder = newFolder();
    const { store, errors } = open(folder);
    await store.put(key(1), variant, storedOf());
    const [path] = filesIn(folder);
    writeFileSync(path!, damage(readFileSync(path!)));
    expect(await store.find(key(1))).toEqual([]);
    expect([filesIn(folder), errors]).toEqual([[], []]);
  });

  test('of all processes stay within the quota, and the least recently used are removed', async () => {
    const folder = newFolder();
    const size = 10_000;
    const stores = [open(folder, { bytes: 10 * size }).store, open(folder, { bytes: 10 * size }).store];
    for (let n = 0; n < 30; n++) {
      await stores[n % 2]!.put(key(n), variant, storedOf('x'.repeat(size - 500)));
      const path = filesIn(folder).find((one) => one.includes(key(n).slice(2)));
      utimesSync(path!, begin / 1000 + n, begin / 1000 + n);
    }
    await stores[0]!.sweep();
    const left = filesIn(folder);
    expect(left.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThanOrEqual(10 * size);
    const kept = left.map((path) => Number.parseInt(path.slice(-18 - 1, -17), 16)).sort((a, b) => a - b);
    expect([kept.length >= 8, kept.at(-1), kept[0]! >= 20]).toEqual([true, 29, true]);
  });

  test('count as new when they are used', async () => {
    const folder = newFolder();
    const now = begin + 3_600_000;
    const { store } = open(folder, { now: () => now });
    await store.put(key(1), variant, storedOf());
    const [path] = filesIn(folder);
    utimesSync(path!, begin / 1000, begin / 1000);
    await store.find(key(1));
    expect(statSync(path!).mtimeMs).toBe(now);
  });

  test('beyond the size of one are not stored, and remove those that they would replace', async () => {
    const folder = newFolder();
    const { store } = open(folder, { entryBytes: 5000 });
    await store.put(key(1), variant, storedOf());
    await store.put(key(1), variant, storedOf('x'.repeat(6000)));
    expect(await store.find(key(1))).toEqual([]);
    expect(filesIn(folder)).toEqual([]);
  });

  test('can be written and read concurrently, and each is complete', async () => {
    const folder = newFolder();
    const stores = Array.from({ length: 4 }, () => open(folder));
    const bodyOf = (n: number) => String.fromCharCode(97 + n).repeat(1000 + n);
    const seen: string[] = [];
    await Promise.all(
      stores.map(async ({ store }, index) => {
        for (let n = 0; n < 20; n++) {
          await store.put(key(1), variant, storedOf(bodyOf(index)));
          seen.push(...bodies(await store.find(key(1))));
        }
      }),
    );
    expect(seen.length).toBe(80);
    for (const body of seen) expect(body).toBe(bodyOf(body.charCodeAt(0) - 97));
    expect([stores.flatMap(({ errors }) => errors), filesIn(folder).length]).toEqual([[], 1]);
  });

  test('that were replaced from outside are not returned', async () => {
    const folder = newFolder();
    const origin = new Origin(open(folder).store).will({ headers: { 'cache-control': 'max-age=60' } });
    await origin.fetch({ owner: 'ann' });
    const [path] = filesIn(folder);
    const foreign = keyOf(requestOf({ owner: 'bob' }));
    const place = join(folder, 'rootbound-fetch', foreign.slice(0, 2));
    mkdirSync(place, { recursive: true });
    renameSync(path!, join(place, `${foreign.slice(2)}${path!.slice(-17)}`));
    expect(await origin.read({ owner: 'bob' })).toBe('body from network');
  });

  test('need an existing folder', () => {
    expect(() => open(join(newFolder(), 'missing'))).toThrow('the cache folder does not exist');
  });

  test('that cannot be written are skipped, and the error is reported', async () => {
    const folder = newFolder();
    const { store, errors } = open(folder);
    writeFileSync(join(folder, 'rootbound-fetch', '01'), 'in the way');
    const origin = new Origin(store).will({ headers: { 'cache-control': 'max-age=60' } });
    await store.put(key(1), variant, storedOf());
    expect(errors.length).toBeGreaterThan(0);
    expect(await store.find(key(1))).toEqual([]);
    expect(await origin.read()).toBe('body from network');
  });
});
