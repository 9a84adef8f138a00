import { expect, test } from 'vitest';
import { WebError } from '../../src/failure.ts';
import { headingsAbove, outlineOf, sectionOf, spanOf } from '../../src/pages/outline.ts';
import { readingOf } from './readings.ts';

const text = `# Guide

intro

## Installation

steps

#### On Linux

apt

## Usage

run

# Café

coffee

## Installation

beans
`;
const reading = readingOf(text);
const slice = ({ at, end }: { at: number; end: number }) => text.slice(at, end);

test('an outline numbers headings by nesting, with any levels left out', () => {
  expect(outlineOf(reading).map(({ number, text: heading }) => `${number} ${heading}`)).toEqual([
    '1 Guide',
    '1.1 Installation',
    '1.1.1 On Linux',
    '1.2 Usage',
    '2 Café',
    '2.1 Installation',
  ]);
});

test('a section extends to the next heading of its level, and its own text to the next of any level', () => {
  const [guide, installation] = outlineOf(reading);
  expect(slice(installation!)).toBe('## Installation\n\nsteps\n\n#### On Linux\n\napt\n\n');
  expect(text.slice(installation!.at, installation!.ownEnd)).toBe('## Installation\n\nsteps\n\n');
  expect(slice(guide!)).toMatch(/^# Guide[\s\S]*run\n\n$/);
});

test('a section is found by number, by heading, by its beginning and by a part of it', () => {
  for (const name of ['2', 'cafe', 'CAFÉ', '# Café', 'af'])
    expect(sectionOf(reading, name).text).toBe('Café');
  expect(sectionOf(reading, 'on  linux').number).toBe('1.1.1');
  expect(spanOf(sectionOf(reading, '2.1'))).toEqual({ start: text.lastIndexOf('## Inst'), end: text.length });
});

function failureOf(name: string, from = reading): WebError {
  try {
    sectionOf(from, name);
  } catch (error) {
    if (error instanceof WebError) return error;
  }
  throw new Error('the section was found');
}

test('a name of several sections is refused with their numbers', () => {
  const { code, hint } = failureOf('installation');
  expect([code, hint]).toEqual([
    'not-found',
    'give one of their numbers as section: 1.1 Installation, 2.1 Installation',
  ]);
});

test('a name of no section is refused with existing sections', () => {
  expect(failureOf('missing').hint).toMatch(/the first are 1 Guide, .* and 1 more$/);
  expect(failureOf('missing', readingOf('text')).hint).toMatch(/has no headings/);
});

test('the headings above a position are those of the sections around it', () => {
  expect(headingsAbove(reading, text.indexOf('apt'))).toEqual(['Guide', 'Installation', 'On Linux']);
  expect(headingsAbove(reading, text.indexOf('run'))).toEqual(['Guide', 'Usage']);
  expect(headingsAbove(readingOf('before\n\n# A'), 3)).toEqual([]);
});
