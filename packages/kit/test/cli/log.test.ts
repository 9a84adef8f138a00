import { expect, test } from 'vitest';
import { createLogger, LOG_LEVELS, type LoggerOptions } from '../../src/cli.ts';

function recorded(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'debug',
    json: false,
    write: (line) => lines.push(line),
    now: () => new Date(0),
    ...options,
  });
  return { logger, lines };
}

test.each(LOG_LEVELS)('at level %s exactly it and what is graver are written', (level) => {
  const { logger, lines } = recorded({ level });
  for (const each of LOG_LEVELS) logger[each]('x');
  const written = lines.map((line) => line.split(' ')[1]);
  expect(written).toEqual(LOG_LEVELS.slice(LOG_LEVELS.indexOf(level)));
});

test('a line holds the time, the level, the message and the fields', () => {
  const { logger, lines } = recorded();
  logger.notice('root appeared', { path: '/a b', count: 2 });
  expect(lines).toEqual(['1970-01-01T00:00:00.000Z notice root appeared path="/a b" count=2\n']);
});

test('as JSON a line is one object, and fields cannot replace its own words', () => {
  const { logger, lines } = recorded({ json: true });
  logger.error('failed', { level: 'debug', cause: new Error('disk full'), bytes: 5n });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      time: '1970-01-01T00:00:00.000Z',
      level: 'error',
      message: 'failed',
      cause: 'Error: disk full',
      bytes: '5',
    },
  ]);
});

test('a message below the level is never made', () => {
  const { logger, lines } = recorded({ level: 'error' });
  logger.debug(() => expect.fail('it was made'));
  logger.error(() => 'made');
  expect(lines).toEqual(['1970-01-01T00:00:00.000Z error made\n']);
});

test.each([true, false])('a message cannot forge a line or move the cursor (json: %s)', (json) => {
  const { logger, lines } = recorded({ json });
  logger.info('a\nb\r\u001b[2J\u0085\u2028\u202e', { name: 'c\nd\u009b' });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^[\x20-\x7e]+\n$/);
});

test('an escaped message reads back as it was from a JSON line', () => {
  const { logger, lines } = recorded({ json: true });
  logger.info('a\n\u009b\u2028"\\');
  expect(JSON.parse(lines[0]!).message).toBe('a\n\u009b\u2028"\\');
});

test.each([true, false])('an endless message is cut (json: %s)', (json) => {
  const { logger, lines } = recorded({ json });
  logger.info('x'.repeat(1_000_000), { also: 'y'.repeat(1_000_000) });
  expect(lines[0]!.length).toBeLessThan(10_000);
  if (json) expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'info', clipped: true });
});

test('a field that cannot be written does not lose the message', () => {
  const { logger, lines } = recorded();
  const cycle: { self?: object } = {};
  cycle.self = cycle;
  logger.info('kept', { cycle });
  expect(lines[0]).toContain('info kept cycle="[unprintable]"');
});
