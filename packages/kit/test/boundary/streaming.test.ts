import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { etagOf, type Produce, replaceFile, streamFile } from '../../src/boundary.ts';
import { Cancelled, containments, failureOf, useTree } from './tree.ts';

const MiB = 1024 * 1024;

describe.each(containments)('a file whose content is made meanwhile, %s', (containment) => {
  const tree = useTree();
  const scope = () => tree.scope(containment);
  const content = (path: string) => readFileSync(join(tree.root, path), 'utf8');

  test('has all pieces in order, and is seen by nobody before the end', async () => {
    const seen: boolean[] = [];
    const produce: Produce = async (write) => {
      for (const piece of ['one ', 'two ', 'three']) {
        await write(Buffer.from(piece));
        seen.push(existsSync(join(tree.root, 'f')));
      }
    };
    const written = await streamFile(scope(), 'f', produce, { fsync: true });
    expect(written).toEqual({
      created: true,
      bytes: 13,
      etag: etagOf(statSync(join(tree.root, 'f'))),
      path: join(tree.root, 'f'),
    });
    expect([content('f'), seen, readdirSync(tree.root)]).toEqual([
      'one two three',
      [false, false, false],
      ['f'],
    ]);
  });

  test('keeps the order of pieces that the producer does not wait for one by one', async () => {
    await streamFile(scope(), 'f', async (write) => {
      await Promise.all(['a'.repeat(3 * MiB), 'b', 'c'].map((piece) => write(Buffer.from(piece))));
    });
    expect(content('f')).toBe(`${'a'.repeat(3 * MiB)}bc`);
  });

  test('that fails midway leaves what was there and nothing else', async () => {
    tree.write('root/f', 'old');
    for (const path of ['f', 'new'])
      expect(
        await failureOf(() =>
          streamFile(scope(), path, async (write) => {
            await write(Buffer.alloc(2 * MiB));
            // a write that is under way when the producer gives up
            void write(Buffer.alloc(2 * MiB));
            throw new RangeError('no');
          }),
        ),
      ).toBeInstanceOf(RangeError);
    expect([content('f'), readdirSync(tree.root)]).toEqual(['old', ['f']]);
  });

  test('that is cancelled leaves what was there and nothing else', async () => {
    tree.write('root/f', 'old');
    const cancelled = new Cancelled();
    cancelled.again();
    const { signal } = cancelled;
    const produce: Produce = async (write) => {
      await write(Buffer.from('half'));
      cancelled.now();
    };
    expect(await failureOf(() => streamFile(scope(), 'f', produce, { signal }))).toBe(cancelled.reason);
    expect([content('f'), readdirSync(tree.root)]).toEqual(['old', ['f']]);
  });

  test('is not begun where it may not be written', async () => {
    tree.write('root/f', 'old');
    let begun = 0;
    const produce: Produce = async () => {
      begun++;
    };
    const codes = [
      await failureOf(() => streamFile(scope(), 'f', produce, { exclusive: true })),
      await failureOf(() => streamFile(scope(), '../outside/x', produce)),
      await failureOf(() => streamFile(tree.scope(containment, 'root:ro'), 'g', produce)),
    ].map((error) => (error as { code?: string }).code);
    expect([codes, begun]).toEqual([['exists', 'not-found', 'read-only'], 0]);
  });

  test('waits for another change of the same file', async () => {
    const order: string[] = [];
    const streaming = streamFile(scope(), 'f', async (write) => {
      await write(Buffer.from('streamed'));
      order.push('streamed');
    });
    const replacing = Promise.resolve(replaceFile(scope(), 'f', 'replaced')).then(() =>
      order.push('replaced'),
    );
    await Promise.all([streaming, replacing]);
    expect([order, content('f')]).toEqual([['streamed', 'replaced'], 'replaced']);
  });
});
