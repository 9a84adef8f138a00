import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UndoPoints } from '../../src/undo/points.ts';
import { scratch } from '../scratch.ts';

const { folder } = scratch();

function kept(points: UndoPoints, bytes: number, owner = 'me'): string {
  const place = points.reserve();
  writeFileSync(place.path, Buffer.alloc(1));
  points.keep({ ...place, owner, database: '/data.db', bytes });
  return place.point;
}

test('a copy is opened by its handle, and only for its owner', () => {
  const points = new UndoPoints(join(folder, 'a'));
  const handle = kept(points, 10);
  expect(points.open(handle, 'me')).toMatchObject({ point: handle, database: '/data.db', bytes: 10 });
  expect(() => points.open(handle, 'you')).toThrow('no such undo point');
  expect(() => points.open('undo-other', 'me')).toThrow('no such undo point');
});

test('the least recently used copies are removed when the quota is exceeded', () => {
  const points = new UndoPoints(join(folder, 'b'), 100);
  const [first, second] = [kept(points, 40), kept(points, 40)];
  points.open(first, 'me');
  const third = kept(points, 40);
  expect(() => points.open(second, 'me')).toThrow('no such undo point');
  expect([points.open(first, 'me'), points.open(third, 'me')].every(({ path }) => existsSync(path))).toBe(
    true,
  );
  expect(readdirSync(join(folder, 'b', 'undo'))).toHaveLength(2);
});

test('the newest copy stays even if it alone exceeds the quota', () => {
  const points = new UndoPoints(join(folder, 'c'), 100);
  kept(points, 10);
  const large = kept(points, 500);
  expect(points.open(large, 'me').bytes).toBe(500);
  expect(readdirSync(join(folder, 'c', 'undo'))).toHaveLength(1);
});
