import { expect, test } from 'vitest';
import { Snapshots } from '../../src/budget.ts';

test('a snapshot comes back to its owner and to nobody else', () => {
  const snapshots = new Snapshots<string[]>();
  const id = snapshots.put('ann', ['a', 'b'], 10)!;
  expect([snapshots.get('ann', id), snapshots.get('bob', id)]).toEqual([['a', 'b'], undefined]);
});

test('an id of another process means nothing here', () => {
  const before = new Snapshots<number>();
  const after = new Snapshots<number>();
  const id = before.put('ann', 1, 1)!;
  after.put('ann', 2, 1);
  expect(after.get('ann', id)).toBeUndefined();
});

test('beyond the count the least recently used goes', () => {
  const snapshots = new Snapshots<number>({ count: 2 });
  const [first, second] = [snapshots.put('ann', 1, 1)!, snapshots.put('ann', 2, 1)!];
  snapshots.get('ann', first);
  const third = snapshots.put('ann', 3, 1)!;
  expect([first, second, third].map((id) => snapshots.get('ann', id))).toEqual([1, undefined, 3]);
});

test('beyond the bytes as many go as are needed', () => {
  const snapshots = new Snapshots<number>({ bytes: 10 });
  const ids = [4, 4, 8].map((bytes) => snapshots.put('ann', bytes, bytes)!);
  expect(ids.map((id) => snapshots.get('ann', id))).toEqual([undefined, undefined, 8]);
  expect([snapshots.count, snapshots.bytes]).toEqual([1, 8]);
});

test('one owner that makes many loses its own and nobody else any', () => {
  const snapshots = new Snapshots<number>({ count: 10, perOwner: 2 });
  const kept = snapshots.put('bob', 0, 1)!;
  const ids = [1, 2, 3, 4].map((value) => snapshots.put('ann', value, 1)!);
  expect(ids.map((id) => snapshots.get('ann', id))).toEqual([undefined, undefined, 3, 4]);
  expect(snapshots.get('bob', kept)).toBe(0);
});

test('a snapshot larger than the store is not taken and pushes nothing out', () => {
  const snapshots = new Snapshots<number>({ bytes: 10 });
  const id = snapshots.put('ann', 1, 10)!;
  expect([snapshots.put('ann', 2, 11), snapshots.get('ann', id)]).toEqual([undefined, 1]);
});

test('the store never holds more than its limits, whatever is put', () => {
  const snapshots = new Snapshots<number>({ count: 5, perOwner: 3, bytes: 100 });
  for (let value = 0; value < 500; value++) {
    snapshots.put(`owner ${value % 4}`, value, (value * 37) % 60);
    expect(snapshots.count).toBeLessThanOrEqual(5);
    expect(snapshots.bytes).toBeLessThanOrEqual(100);
  }
});

test('an owner that ends takes its snapshots along', () => {
  const snapshots = new Snapshots<number>();
  const [one, two] = [snapshots.put('ann', 1, 5)!, snapshots.put('bob', 2, 7)!];
  snapshots.clear('ann');
  expect([snapshots.get('ann', one), snapshots.get('bob', two), snapshots.bytes]).toEqual([undefined, 2, 7]);
});

test('only its owner deletes a snapshot', () => {
  const snapshots = new Snapshots<number>();
  const id = snapshots.put('ann', 1, 5)!;
  snapshots.delete('bob', id);
  expect(snapshots.get('ann', id)).toBe(1);
  snapshots.delete('ann', id);
  expect([snapshots.get('ann', id), snapshots.bytes]).toEqual([undefined, 0]);
});
