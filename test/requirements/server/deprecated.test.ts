import { expect } from 'vitest';
import { stateless } from '../revisions.ts';
import { everything, person } from './tour.ts';
import { over } from './world.ts';

over(stateless, 'deprecated features work', async ({ open, proves }) => {
  const talk = await open(undefined, { capabilities: everything });
  const where = await talk.settleCall('where', {}, person);
  const think = await talk.settleCall('think', {}, person);
  const level = { 'io.modelcontextprotocol/logLevel': 'debug' };
  await talk.call('say', { level: 'error', data: 'x' }, level);
  const logged = talk.heard.filter(({ method }) => method === 'notifications/message');
  proves('2026-07-28/deprecated/deprecated-features-still-work', () => {
    expect(where.answer.result.content[0].text).toBe('file:///work');
    expect(think.answer.result.content[0].text).toContain('because');
    expect(logged.map(({ params }) => params.data)).toEqual(['x']);
  });
});
