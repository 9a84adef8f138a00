import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Draft, type Produce, replaceFile, streamFile } from '../../src/boundary.ts';
import { containments, failureOf, useTree } from './tree.ts';

const cut = new Error('cut');
const half: Produce = async (write) => {
  await write(Buffer.from('half'));
  throw cut;
};
const rest: Produce = (write, begun) => write(Buffer.from(begun === 4 ? ' and half' : 'anew'));

describe.each(containments)('a draft of a stream that failed, %s', (containment) => {
  const tree = useTree();
  const everything = () => readdirSync(tree.root, { recursive: true, encoding: 'utf8' }).sort();

  async function drafted(): Promise<Draft> {
    const draft = new Draft();
    const failing = streamFile(tree.scope(containment), 'f', half, { draft, fsync: true });
    await expect(failing).rejects.toBe(cut);
    expect([draft.bytes, everything().length]).toEqual([4, 2]);
    return draft;
  }

  test.each(['f', 'g'])('is gone on with, and becomes the file %s in one step', async (name) => {
    const scope = tree.scope(containment);
    const draft = await drafted();
    expect(draft.fits(scope)).toBe(true);
    const { bytes } = await streamFile(scope, name, rest, { draft, exclusive: true });
    expect([bytes, draft.bytes, everything()]).toEqual([13, 0, [name]]);
    expect(readFileSync(join(tree.root, name), 'utf8')).toBe('half and half');
  });

  test('outlives other writes in the root, and goes when it is discarded', async () => {
    const draft = await drafted();
    await replaceFile(tree.scope(containment), 'g', 'x');
    expect(everything()).toHaveLength(3);
    draft.discard();
    expect([draft.bytes, everything()]).toEqual([0, ['g']]);
  });

  test('holds the whole where the name was taken meanwhile', async () => {
    const draft = new Draft();
    const produce: Produce = async (write) => {
      await write(Buffer.from('half'));
      writeFileSync(join(tree.root, 'f'), 'mine');
    };
    const options = { draft, exclusive: true };
    const failure = await failureOf(() => streamFile(tree.scope(containment), 'f', produce, options));
    expect([failure, draft.bytes]).toMatchObject([{ code: 'exists' }, 4]);
    await streamFile(tree.scope(containment), 'g', async () => {}, options);
    expect([readFileSync(join(tree.root, 'f'), 'utf8'), readFileSync(join(tree.root, 'g'), 'utf8')]).toEqual([
      'mine',
      'half',
    ]);
  });

  test('fits no more where somebody has touched it, nor a scope that does not hold it', async () => {
    const draft = await drafted();
    expect(draft.fits(tree.scope(containment, 'root:ro'))).toBe(false);
    expect(draft.fits(tree.scope(containment))).toBe(true);
    const [temporary] = everything().filter((name) => name.endsWith('.tmp'));
    appendFileSync(join(tree.root, temporary!), 'x');
    expect(draft.fits(tree.scope(containment))).toBe(false);
    draft.discard();
    expect(everything()).toEqual([]);
  });

  test('is not kept of a stream that wrote nothing, nor of one that was given none', async () => {
    const draft = new Draft();
    const nothing: Produce = () => Promise.reject(cut);
    await expect(streamFile(tree.scope(containment), 'f', nothing, { draft })).rejects.toBe(cut);
    await expect(streamFile(tree.scope(containment), 'f', half)).rejects.toBe(cut);
    expect([draft.bytes, everything()]).toEqual([0, []]);
  });
});
