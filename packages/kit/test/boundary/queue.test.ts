import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { appendFile, moveEntry, removeEntry, replaceFile, updateFile } from '../../src/boundary.ts';
import { Cancelled, containments, failureOf, Gate, useTree } from './tree.ts';

describe.each(containments)('changes of one file, %s', (containment) => {
  const tree = useTree();
  const scope = () => tree.scope(containment);
  const content = (name: string) => readFileSync(join(tree.root, name), 'utf8');
  const names = () => readdirSync(tree.root).sort();

  test('fifty changes that wait in between all land, in the order of the calls', async () => {
    tree.write('root/f', '');
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) =>
        updateFile(scope(), index % 2 ? 'f' : './f', async (bytes) => {
          await Promise.resolve();
          return [bytes, `${index} `];
        }),
      ),
    );
    expect(content('f').trim().split(' ').map(Number)).toEqual(
      Array.from({ length: 50 }, (_, index) => index),
    );
  });

  test('small changes wait for one that is in progress, and come in order', async () => {
    tree.write('root/f', 'a');
    const gate = new Gate();
    const first = updateFile(scope(), 'f', async (bytes) => {
      await gate.passed;
      return [bytes, 'b'];
    });
    const rest = [
      updateFile(scope(), 'f', (bytes) => [bytes, 'c']),
      appendFile(scope(), 'f', 'd'),
      updateFile(scope(), 'f', (bytes) => [bytes, 'e']),
    ];
    expect(rest.every((change) => change instanceof Promise)).toBe(true);
    const other = replaceFile(scope(), 'g', 'at once');
    expect(other).toMatchObject({ created: true });
    expect(content('f')).toBe('a');
    gate.open();
    await Promise.all([first, ...rest]);
    expect([content('f'), names()]).toEqual(['abcde', ['f', 'g']]);
    expect(updateFile(scope(), 'f', () => 'free again')).toMatchObject({ changed: true });
  });

  test('a hundred large and small writes at once leave one of them whole and nothing else', async () => {
    const contents = Array.from({ length: 100 }, (_, index) =>
      String.fromCharCode(48 + index).repeat(index % 10 === 0 ? 1_200_000 : 100),
    );
    const written = await Promise.all(contents.map(async (text) => replaceFile(scope(), 'f', text)));
    expect([written.length, contents.includes(content('f')), names()]).toEqual([100, true, ['f']]);
  });

  test('who waits sees what is there at the turn: what was moved or deleted is missing', async () => {
    tree.write('root/f', 'a');
    const gate = new Gate();
    const first = updateFile(scope(), 'f', async () => {
      await gate.passed;
      return 'new';
    });
    const moved = moveEntry(scope(), 'f', 'g');
    const missing = failureOf(() => updateFile(scope(), 'f', () => 'never'));
    const gone = failureOf(() => removeEntry(scope(), 'f'));
    gate.open();
    await first;
    expect(await moved).toMatchObject({ kind: 'file' });
    expect([await missing, await gone]).toMatchObject([{ code: 'not-found' }, { code: 'not-found' }]);
    expect([content('g'), names()]).toEqual(['new', ['g']]);
  });

  test('two moves against each other wait for neither for ever', async () => {
    tree.write('root/a', 'a');
    const gate = new Gate();
    const held = updateFile(scope(), 'a', async () => {
      await gate.passed;
      return 'changed';
    });
    const there = moveEntry(scope(), 'a', 'b');
    const back = failureOf(() => moveEntry(scope(), 'b', 'a'));
    gate.open();
    await held;
    await there;
    expect(await back).toMatchObject({ code: 'not-found' });
    expect([content('b'), names()]).toEqual(['changed', ['b']]);
  });

  test('one that fails or is cancelled while it waits does not stop those behind it', async () => {
    tree.write('root/f', 'a');
    const gate = new Gate();
    const cancelled = new Cancelled();
    const held = updateFile(scope(), 'f', async () => {
      await gate.passed;
      return 'b';
    });
    const waiting = failureOf(() => replaceFile(scope(), 'f', 'never', { signal: cancelled.signal }));
    const failing = failureOf(() =>
      updateFile(scope(), 'f', () => {
        throw new RangeError('no');
      }),
    );
    const last = updateFile(scope(), 'f', (bytes) => [bytes, 'c']);
    cancelled.now();
    expect(await waiting).toBe(cancelled.reason);
    expect(content('f')).toBe('a');
    gate.open();
    await held;
    expect(await failing).toBeInstanceOf(RangeError);
    await last;
    expect([content('f'), names()]).toEqual(['bc', ['f']]);
  });
});
