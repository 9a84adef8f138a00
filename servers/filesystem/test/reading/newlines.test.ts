import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { newlineCounter } from '../../src/text/newlines.ts';

test('the WebAssembly code in newlines.ts is newlines.wat', async () => {
  const source = (name: string): string =>
    readFileSync(new URL(`../../src/text/${name}`, import.meta.url), 'utf8');
  const compiler = await wabt();
  const module = compiler.parseWat('newlines.wat', source('newlines.wat'), { simd: true });
  module.validate();
  const compiled = Buffer.from(module.toBinary({}).buffer).toString('base64');
  module.destroy();
  const [, held] = /const code =\s*'([A-Za-z0-9+/=]+)';/.exec(source('newlines.ts'))!;
  expect(held).toBe(compiled);
});

test('it counts the newlines of every length, whatever bytes follow', () => {
  const counter = newlineCounter(70_000);
  for (const length of [0, 1, 15, 16, 17, 4079, 4080, 4081, 8160, 8161, 65_536, 69_999, 70_000]) {
    counter.buffer.fill(0x0a);
    expect(counter.count(length)).toBe(length);
    let expected = 0;
    for (let at = 0; at < counter.buffer.length; at++) {
      const isNewline = (at * 7919) % 13 === 0;
      counter.buffer[at] = isNewline ? 0x0a : at % 251 === 10 ? 0 : at % 251;
      if (isNewline && at < length) expected += 1;
    }
    expect(counter.count(length)).toBe(expected);
  }
});
