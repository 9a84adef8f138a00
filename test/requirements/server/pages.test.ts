import { createServer, pagesRequired, tool, url } from '@rootbound/protocol';
import { expect } from 'vitest';
import * as z from 'zod';
import { all } from '../revisions.ts';
import { over } from './world.ts';

const pages = { elicitation: { url: {} } };
const empty = z.object({});
const plain = (name: string) => tool({ name, description: 'Answers.', input: empty, run: () => 'now' });

over(
  ['2025-11-25'],
  'a call that needs URL elicitations names them first, and their completion is notified',
  async ({ open, proves }) => {
    const finished: (() => void)[] = [];
    const connected = new Set<string>();
    const sync = tool({
      name: 'sync',
      description: 'Needs two pages.',
      input: empty,
      run: () => {
        if (connected.size > 0) return 'synced';
        const required = pagesRequired(
          { message: 'Calendar', url: 'https://example.com/calendar' },
          { message: 'Mail', url: 'https://example.com/mail' },
        );
        for (const { visit } of required.pages) {
          finished.push(() => {
            connected.add(visit.id);
            visit.completed();
          });
        }
        throw required;
      },
    });
    const server = createServer({ name: 's', version: '1', tools: [sync, plain('later')] });
    const [talk, other] = [
      await open(server, { capabilities: pages }),
      await open(server, { capabilities: pages }),
    ];
    const { error } = await talk.call('sync');
    proves('2025-11-25/elicitation/url-elicitation-needed-answered-32042', () =>
      expect(error.code).toBe(-32042),
    );
    const { elicitations } = error.data;
    proves('2025-11-25/elicitation/url-elicitation-required-error-lists-elicitations', () =>
      expect(elicitations.map(({ url: page }: { url: string }) => page)).toEqual([
        'https://example.com/calendar',
        'https://example.com/mail',
      ]),
    );
    proves('2025-11-25/elicitation/url-elicitation-required-error-only-url-mode', () => {
      for (const { mode, elicitationId } of elicitations)
        expect([mode, typeof elicitationId]).toEqual(['url', 'string']);
    });
    finished[0]?.();
    const { params } = await talk.awaitMessage('notifications/elicitation/complete');
    proves('2025-11-25/elicitation/elicitation-complete-has-elicitation-id', () =>
      expect(params.elicitationId).toBe(elicitations[0].elicitationId),
    );
    const elsewhere = await other.settled();
    proves('2025-11-25/elicitation/elicitation-complete-sent-only-to-initiator', () =>
      expect(elsewhere).toEqual([]),
    );
    const again = await talk.call('sync');
    const fine = await talk.call('later');
    proves('2025-11-25/elicitation/url-elicitation-required-error-only-when-needed', () =>
      expect([again.result.content[0].text, fine.error]).toEqual(['synced', undefined]),
    );
  },
);

over(
  all,
  'in other revisions the same call fails with a message, without that code',
  async ({ open, revision }) => {
    const sync = tool({
      name: 'sync',
      description: 'Needs a page.',
      input: empty,
      run: () => {
        throw pagesRequired({ message: 'Calendar', url: 'https://example.com/calendar' });
      },
    });
    const talk = await open(createServer({ name: 's', version: '1', tools: [sync] }));
    const { result, error } = await talk.call('sync');
    expect(error?.code ?? result.isError).toBe(revision === '2026-07-28' ? -32021 : true);
    expect(() => url('x', 'http://example.com')).toThrow(TypeError);
  },
);
