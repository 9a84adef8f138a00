import type { Client } from '@rootbound/protocol/client';
import { describe, expect, test, vi } from 'vitest';
import { Insights } from '../../src/insights/insights.ts';
import { call, Served, structuredRevisions } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { folder } = scratch();
const uri = 'memo://insights';

async function memoOf(client: Client): Promise<string> {
  const [memo] = (await client.readResource(uri)).contents;
  return memo !== undefined && 'text' in memo ? memo.text : '';
}

describe.each(structuredRevisions)('%s', (revision) => {
  test('an insight is added to the memo, and subscribers of the memo are notified', async () => {
    const client = await served.client([folder], { revision });
    const heard = vi.fn();
    const subscription = await client.subscribe(uri, heard);
    expect(await memoOf(client)).toContain('No insights yet');
    const { facts, text } = await call(client, 'append_insight', { insight: ' The north sells most. ' });
    expect(facts).toEqual({ insights: 1, memo: uri });
    expect(text).toContain(uri);
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1), { timeout: 120_000 });
    await call(client, 'append_insight', { insight: 'The south\ngrows.' });
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2), { timeout: 120_000 });
    expect(await memoOf(client)).toContain(
      '2 findings from the databases, the oldest first.\n\n- The north sells most.\n- The south\n  grows.\n',
    );
    await subscription.close();
    await call(client, 'append_insight', { insight: 'Nobody hears this.' });
    expect(heard).toHaveBeenCalledTimes(2);
  });
});

test('the memo is listed', async () => {
  const client = await served.client([folder]);
  expect(await client.listResources()).toContainEqual(
    expect.objectContaining({ uri, mimeType: 'text/plain' }),
  );
});

test('a full memo refuses further insights and keeps its own', async () => {
  const client = await served.client([folder]);
  await call(client, 'append_insight', { insight: 'x'.repeat(65_530) });
  const { failed, code } = await call(client, 'append_insight', { insight: 'one more' });
  expect([failed, code]).toEqual([true, 'memo-full']);
  expect((await call(client, 'append_insight', { insight: 'fits' })).facts).toMatchObject({ insights: 2 });
});

test('an empty insight is refused', async () => {
  const client = await served.client([folder]);
  expect((await call(client, 'append_insight', { insight: ' ' })).failed).toBe(true);
});

test('a read-only server has no append_insight', async () => {
  const client = await served.client([folder], { readOnly: true });
  expect((await client.listTools()).map(({ name }) => name)).not.toContain('append_insight');
});

test('each owner has their own memo and is notified of that only', () => {
  const insights = new Insights();
  const heard = vi.fn();
  insights.watch('ada', heard);
  insights.append('bob', 'The south grows.');
  expect([insights.of('ada'), heard.mock.calls]).toEqual([[], []]);
  insights.append('ada', 'The north sells most.');
  expect([insights.of('ada'), heard.mock.calls]).toEqual([['The north sells most.'], [[]]]);
});
