import { type Files, jsonText, readFiles, replaced, textOf } from './files.ts';
import type { Manifest } from './manifest.ts';
import { standalone } from './manifest.ts';
import { bareName } from './names.ts';

export const TRANSPORTS = ['stdio', 'http'] as const;
/** The way in which clients and `npm start` reach a server; the server supports both. */
export type Transport = (typeof TRANSPORTS)[number];

/** The answers about a new server. */
export interface Wish {
  readonly name: string;
  /** undefined keeps the text of the template or the forked server */
  readonly description: string | undefined;
  readonly transport: Transport;
}

const PORT = 3000;
const NAME = 'template-server';
/** The folder that a new server offers. */
export const NOTES = 'notes';
/** npm leaves a .gitignore out of packages */
const PACKED_NAMES: Readonly<Record<string, string>> = { '.gitignore': 'gitignore' };

/** Returns the template for the package, from its folder in the workspace. */
export function templateOf(workspace: string): Files {
  const files = readFiles(workspace);
  files.set('package.json', jsonText(standalone(workspace)));
  return new Map([...files].map(([path, content]) => [PACKED_NAMES[path] ?? path, content]));
}

/** Returns the packed template with its file names in a project. */
export function readTemplate(folder: string): Files {
  const names = new Map(Object.entries(PACKED_NAMES).map(([own, packed]) => [packed, own]));
  return new Map([...readFiles(folder)].map(([path, content]) => [names.get(path) ?? path, content]));
}

/** Returns the files of a new server. */
export function filesOfServer(template: Files, wish: Wish): Files {
  const bare = bareName(wish.name);
  const manifest = JSON.parse(textOf(template, 'package.json')) as Manifest;
  const files = new Map(
    [...template].map(([path, content]) => [
      path,
      typeof content === 'string' ? content.replaceAll(NAME, bare) : content,
    ]),
  );
  const { description = manifest.description } = wish;
  files.set('README.md', readmeOf(textOf(files, 'README.md'), manifest, wish));
  files.set(
    'package.json',
    jsonText({ ...manifest, name: wish.name, description, bin: { [bare]: 'dist/cli.js' } }),
  );
  return wish.transport === 'http' ? overHttp(files, bare) : files;
}

function readmeOf(text: string, { description }: Manifest, wish: Wish): string {
  const titled = replaced(text, `# ${bareName(wish.name)}\n`, `# ${wish.name}\n`);
  return replaced(titled, `${description}.`, sentence(wish.description ?? description ?? ''));
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Points clients to the server's address, and has `npm start` serve it there. */
function overHttp(files: ReadonlyMap<string, string | Uint8Array>, bare: string): Files {
  const entry = { type: 'http', url: `http://127.0.0.1:${PORT}/mcp` };
  const manifest = JSON.parse(textOf(files, 'package.json')) as Manifest;
  const start = { ...manifest.scripts, start: `node dist/cli.js --http ${PORT} ${NOTES}` };
  const readme = replaced(
    textOf(files, 'README.md'),
    'Build it with `npm run build`.',
    `Build it with \`npm run build\`, and serve it at \`${entry.url}\` with \`npm start\`.`,
  );
  return new Map([
    ...files,
    ['package.json', jsonText({ ...manifest, scripts: start })],
    ['README.md', readme],
    ['.mcp.json', jsonText({ mcpServers: { [bare]: entry } })],
    ['.vscode/mcp.json', jsonText({ servers: { [bare]: entry } })],
  ]);
}
