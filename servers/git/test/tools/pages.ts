import type { Client } from '@rootbound/protocol/client';
import { expect } from 'vitest';
import { call } from '../harness.ts';

interface Page {
  next_cursor?: string;
  truncated: boolean;
}

/** All items of a list by their pages, of which there are several, each within the budget in both halves. */
export async function everyPage<Item>(
  client: Client,
  tool: string,
  list: string,
  budget: number,
  args: Record<string, unknown> = {},
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const { text, facts } = await call<Page>(client, tool, {
      ...args,
      ...(cursor !== undefined && { cursor }),
    });
    const sizes = [JSON.stringify(facts), JSON.stringify(text)].map((half) => Buffer.byteLength(half));
    expect(sizes.filter((size) => size > budget)).toEqual([]);
    items.push(...(facts as unknown as Record<string, Item[]>)[list]!);
    cursor = facts.next_cursor;
    expect([facts.truncated, text.includes('more with cursor')]).toEqual(Array(2).fill(cursor !== undefined));
    pages++;
  } while (cursor !== undefined);
  expect(pages).toBeGreaterThan(1);
  return items;
}
