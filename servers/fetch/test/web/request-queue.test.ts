import { afterEach, expect, test } from 'vitest';
import { Lifetime } from '../../src/web/lifetime.ts';
import { RequestQueue } from '../../src/web/request-queue.ts';

const lifetimes: Lifetime[] = [];
afterEach(() => {
  for (const lifetime of lifetimes.splice(0)) lifetime.finish();
});

function begun(): Lifetime {
  const lifetime = new Lifetime(120_000);
  lifetimes.push(lifetime);
  return lifetime;
}

test('one owner with many pages delays another by no more than the pages that may run at once', async () => {
  const turns = new RequestQueue({ perHost: 2, total: 2, waiting: 500, waitingPerHost: 50 });
  const order: string[] = [];
  const take = async (owner: string): Promise<void> => {
    const give = await turns.take(owner, begun());
    order.push(owner);
    // the turn lasts until all that may run has begun
    setImmediate(give);
  };
  await Promise.all([...Array.from({ length: 40 }, () => take('many')), take('one'), take('other')]);
  expect(order.indexOf('one')).toBeLessThanOrEqual(4);
  expect(order.indexOf('other')).toBeLessThanOrEqual(5);
  expect(order.length).toBe(42);
});

test('one owner with too many waiting pages is refused, and others are not', async () => {
  const turns = new RequestQueue({ perHost: 2, total: 2, waiting: 500, waitingPerHost: 3 });
  const held = await Promise.all([turns.take('many', begun()), turns.take('many', begun())]);
  const waiting = Array.from({ length: 3 }, () => turns.take('many', begun()));
  await expect(turns.take('many', begun())).rejects.toMatchObject({
    code: 'busy',
    message: '3 requests are waiting already',
  });
  const other = turns.take('one', begun());
  for (const give of held) give();
  (await other)();
  for (const turn of waiting) (await turn)();
});

test('an owner that cancelled its wait leaves no entry', async () => {
  const turns = new RequestQueue({ perHost: 1, total: 1, waiting: 500, waitingPerHost: 1 });
  const give = await turns.take('many', begun());
  const impatient = begun();
  const refused = turns.take('one', impatient);
  impatient.stop(new Error('enough'));
  await expect(refused).rejects.toThrow('enough');
  const next = turns.take('one', begun());
  give();
  (await next)();
});
