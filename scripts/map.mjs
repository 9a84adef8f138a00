// npm run pictures -- map: the packages and their folders with the imports between them, as SVG
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { arrow, rect, text, wrap } from './pictures/shapes.mjs';
import { PALETTE } from './pictures/svg.mjs';

/** @typedef {Map<string, Set<string>>} Imports the folders that each folder imports */

const BOX = { width: 104, height: 30, gap: 14, rise: 34 };
const MARGIN = 20;
const WIDTH = 900;
const STYLE = `
svg{color-scheme:light dark}
text{font:13px ui-sans-serif,system-ui,sans-serif;fill:${PALETTE.light.text}}
.name{font-weight:600}.small{font-size:11px;opacity:.8}
.band{fill:none;stroke:${PALETTE.light.border}}.box{fill:${PALETTE.light.fill};stroke:${PALETTE.light.border}}
path{fill:none;stroke:${PALETTE.light.line};stroke-width:1.2}
@media (prefers-color-scheme:dark){text{fill:${PALETTE.dark.text}}.band,.box{stroke:${PALETTE.dark.border}}
.box{fill:${PALETTE.dark.fill}}path{stroke:${PALETTE.dark.line}}}
`;

/**
 * Draws the map of a checkout.
 * @param {string} root
 */
export function drawMap(root) {
  const servers = readdirSync(join(root, 'servers')).sort();
  const kit = band(importsWithin(root, 'packages/kit/src'));
  const protocol = band(importsWithin(root, 'packages/protocol/src'));
  const parts = [];
  const boxWidth = (WIDTH - 2 * MARGIN - 3 * BOX.gap) / 4;
  servers.forEach((name, at) => {
    const x = MARGIN + at * (boxWidth + BOX.gap);
    const uses = (/** @type {string} */ other) => entriesUsed(root, `servers/${name}/src`, other).join(', ');
    const lines = [
      ...wrap(`kit: ${uses('kit')}`, boxWidth / 6),
      ...wrap(`protocol: ${uses('protocol')}`, boxWidth / 6),
    ];
    parts.push(rect(x, MARGIN, boxWidth, 92, 'box'), text(x + 10, MARGIN + 20, `servers/${name}`, 'name'));
    parts.push(...lines.map((line, row) => text(x + 10, MARGIN + 38 + row * 14, line, 'small')));
  });
  let y = MARGIN + 92 + BOX.rise;
  for (const [title, drawn] of /** @type {const} */ ([
    ['packages/kit', kit],
    ['packages/protocol', protocol],
  ])) {
    parts.push(arrow(WIDTH / 2, y - BOX.rise, WIDTH / 2, y));
    parts.push(rect(MARGIN, y, WIDTH - 2 * MARGIN, drawn.height + 44, 'band'));
    parts.push(text(MARGIN + 12, y + 22, title, 'name'), drawn.draw(y + 34));
    y += drawn.height + 44 + BOX.rise;
  }
  const height = y - BOX.rise + MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title">
<title id="title">The servers, the kit and the protocol: an arrow leads from a folder to a folder that it imports</title>
<style>${STYLE}</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8"/></marker></defs>
${parts.join('\n')}
</svg>
`;
}

/**
 * Lays folders out so that each stands above all that it imports.
 * @param {Imports} imports
 */
function band(imports) {
  const folders = [...imports.keys()].sort();
  /** @type {(folder: string) => number} */
  const depth = (folder) => Math.max(0, ...[...(imports.get(folder) ?? [])].map((to) => depth(to) + 1));
  const top = Math.max(...folders.map(depth));
  const rows = Array.from({ length: top + 1 }, (_, row) =>
    folders.filter((folder) => depth(folder) === top - row),
  );
  const height = rows.length * BOX.height + (rows.length - 1) * BOX.rise + 10;
  /** @param {number} y */
  const draw = (y) => {
    /** @type {Map<string, { x: number, y: number }>} */
    const places = new Map();
    rows.forEach((row, at) => {
      const start = (WIDTH - row.length * BOX.width - (row.length - 1) * BOX.gap) / 2;
      for (const [column, folder] of row.entries())
        places.set(folder, {
          x: start + column * (BOX.width + BOX.gap),
          y: y + at * (BOX.height + BOX.rise),
        });
    });
    const lines = folders.flatMap((from) =>
      direct(imports, from).map((to) => {
        const [start, end] = [places.get(from), places.get(to)];
        if (start === undefined || end === undefined) return '';
        const middle = BOX.width / 2;
        return arrow(start.x + middle, start.y + BOX.height, end.x + middle, end.y);
      }),
    );
    const boxes = [...places].flatMap(([folder, { x, y: boxY }]) => [
      rect(x, boxY, BOX.width, BOX.height, 'box'),
      text(x + BOX.width / 2, boxY + 20, folder, 'name', 'middle'),
    ]);
    return [...lines, ...boxes].join('\n');
  };
  return { height, draw };
}

/**
 * Returns the imports of a folder that it does not have through another one.
 * @param {Imports} imports
 * @param {string} from
 */
function direct(imports, from) {
  const targets = [...(imports.get(from) ?? [])].sort();
  /** @type {(folder: string, wanted: string) => boolean} */
  const reaches = (folder, wanted) =>
    [...(imports.get(folder) ?? [])].some((to) => to === wanted || reaches(to, wanted));
  return targets.filter((to) => !targets.some((other) => other !== to && reaches(other, to)));
}

/**
 * Reads which folders of a package import which others.
 * @param {string} root
 * @param {string} sources
 * @returns {Imports}
 */
function importsWithin(root, sources) {
  /** @type {Imports} */
  const imports = new Map();
  for (const { file, targets } of modulesOf(root, sources)) {
    const [from = '', ...rest] = file.split('/');
    // a file beside the folders is an entry
    if (rest.length === 0) continue;
    const known = imports.get(from) ?? new Set();
    for (const target of targets.filter((one) => one.startsWith('.'))) {
      const path = relative(sources, relative(root, resolve(root, sources, file, '..', target)));
      const [to = ''] = path.split(sep);
      if (to !== from && !to.endsWith('.ts')) known.add(to);
    }
    imports.set(from, known);
  }
  return imports;
}

/**
 * Returns the entries of a package that a server imports.
 * @param {string} root
 * @param {string} sources
 * @param {string} name of the package
 */
function entriesUsed(root, sources, name) {
  const used = modulesOf(root, sources)
    .flatMap(({ targets }) => targets)
    .filter((target) => target === `@rootbound/${name}` || target.startsWith(`@rootbound/${name}/`))
    .map((target) => target.split('/')[2] ?? 'main');
  return [...new Set(used)].sort();
}

/**
 * Reads the modules below a folder, each with the modules that it imports.
 * @param {string} root
 * @param {string} sources
 * @returns {{ file: string, targets: string[] }[]}
 */
function modulesOf(root, sources) {
  const files = readdirSync(join(root, sources), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .map((file) => {
      const code = readFileSync(join(root, sources, file), 'utf8');
      const { module } = parseSync(file, code);
      const exported = module.staticExports.flatMap(({ entries }) => entries);
      const requests = [...module.staticImports, ...exported, ...module.dynamicImports].flatMap(
        ({ moduleRequest }) => (moduleRequest === null ? [] : [moduleRequest]),
      );
      const targets = requests.map(({ start, end }) => code.slice(start + 1, end - 1));
      return { file: file.split(sep).join('/'), targets };
    });
}
