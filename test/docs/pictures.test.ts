import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { record, scenes } from '../../scripts/pictures/scenes.mjs';
import { textOf } from '../../scripts/pictures/svg.mjs';
import { full } from '../extent.ts';
import { documents, linkedFiles, root } from './documents.ts';

const folder = join(root, 'docs', 'pictures');
const pictures = readdirSync(folder);
const drawn = pictures.filter((name) => name.endsWith('.svg'));
/** Pictures of terminals; the map has its own test. */
const terminals = drawn.filter((name) => name !== 'map.svg');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
/** The most bytes of a picture of each kind. */
const most = { svg: 60_000, png: 200_000 };

/** Returns the faults of a drawing, which a page includes as an image and a reader may open by itself. */
function faultsOf(svg: string): string[] {
  const forbidden = {
    script: /<script|\son\w+=|javascript:/i,
    reference:
      /href|@import|url\((?!#)|<image|<foreignObject|<!ENTITY|https?:(?!\/\/(www\.w3\.org\/2000\/svg|localhost|169))/i,
    'machine path': /\/(?:work|tmp|root|mnt|Users|var)\//,
  };
  const found = Object.entries(forbidden).filter(([, pattern]) => pattern.test(svg));
  const titled = /^<svg [^>]*role="img" aria-labelledby="title"[^>]*>\n<title id="title">\S/.test(svg);
  return [...found.map(([what]) => what), ...(titled ? [] : ['no title'])];
}

/** Returns the lines that are the same in every run: the text halves, without sums and times. */
function steady(text: string): string[] {
  return text
    .replaceAll(/^structured: .*(\n(?!~|\S+ says).*( …|\}))?$/gm, '')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:+]+/g, 'TIME')
    .replaceAll(/\d+-\d+-\d{6,}|\b[\da-f]{12,}\b/g, 'SUM')
    .split('\n');
}

test('every picture is in a document, and every picture of a document exists', () => {
  const linked = documents()
    .flatMap(linkedFiles)
    .filter((path) => /\.(svg|png)$/.test(path));
  expect(new Set(linked)).toEqual(new Set(pictures.map((name) => join(folder, name))));
});

test.each(pictures)('%s is small', (name) => {
  expect(statSync(join(folder, name)).size).toBeLessThan(most[name.slice(-3) as keyof typeof most]);
});

describe.each(drawn)('%s', (name) => {
  test('has a title, and neither scripts nor references nor paths of a machine', () => {
    expect(faultsOf(read(name))).toEqual([]);
  });
});

test.each(terminals)('%s shows the commands of its scene', (name) => {
  const { steps } = scenes.find((scene) => `${scene.name}.svg` === name)!;
  const lines = textOf(read(name)).replaceAll(' \\\n   ', '').split('\n');
  expect(lines.filter((line) => line.startsWith('~/code $'))).toEqual(
    steps.map(([line]) => `~/code $ ${line}`),
  );
});

test('every scene has its picture', () => {
  expect(scenes.map(({ name }) => `${name}.svg`).toSorted()).toEqual(terminals.toSorted());
});

test.each([
  ['script', '<script>1</script>'],
  ['reference', '<image href="https://example.com/a.png"/>'],
  ['machine path', '<text>/tmp/there</text>'],
])('the fault of a drawing with a %s is found', (what, part) => {
  expect(faultsOf(read(drawn[0]!).replace('</svg>', `${part}</svg>`))).toContain(what);
});

// a terminal comes from the script(1) of Linux
if (full && process.platform === 'linux') {
  test.each(scenes.map((scene) => [scene.name, scene] as const))(
    'the commands of %s end and print as its picture shows',
    async (name, scene) => {
      const { svg, statuses } = await record(scene);
      expect(statuses).toEqual(scene.steps.map(([, status]) => status));
      expect(steady(textOf(svg))).toEqual(steady(textOf(read(`${name}.svg`))));
    },
  );
}
