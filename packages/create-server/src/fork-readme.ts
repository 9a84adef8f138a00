import { type Files, textOf } from './files.ts';
import type { Manifest } from './manifest.ts';

const GUIDE = 'https://github.com/rootbound/rootbound/blob/main/docs/build.md#add-one-tool-to-a-fork';

/** Returns the README of a fork: its name, its origin, and how to work on it; `server` is the forked one. */
export function readmeOfFork(files: Files, server: string, { homepage }: Manifest, own: Manifest): string {
  const example = /from '\.\/([^']*)'/.exec(textOf(files, 'src/catalog.ts'))?.[1];
  const test = [...files.keys()].find((path) => path.endsWith('.test.ts'));
  return `# ${own.name}

${own.description}

A fork of the [${server} server of Rootbound](${String(homepage)}), under its licence. That page describes the tools and flags in full.

\`\`\`sh
npm install
npm test                 # checks the types, builds, and runs all tests
npm run dev              # runs the tests of what has changed at each save
npm start -- ~/folder    # serves a folder over stdin and stdout
\`\`\`

## In a client

\`node dist/cli.js ~/folder --print-config claude-desktop\` prints the entry for a client. \`--help\` lists the other clients and all flags. \`--doctor\` checks the machine and says what to do.

## Add a tool

1. Each tool is one module; copy one, such as \`src/${example}\`. \`input\` and \`output\` are its schemas, and \`run\` gets the checked arguments and the workspace of the call as \`scope\`.
2. Import it in \`src/catalog.ts\`, and add it to the list there.
3. Add its name to the tools in \`src/spec.ts\`, at the same place.
4. Test it below \`test\`, as \`${test}\` does. \`npm run build\` before you start the program.

[Add one tool to a fork](${GUIDE}) does this step by step.

| file | content |
|---|---|
| \`src/spec.ts\` | names, tools and flags of the command line |
| \`src/catalog.ts\` | the list of tools; the build writes it as text, and loads a tool at its first call |
| \`src/server.ts\` | the server: instructions, prompts, resources and the workspace of a call |
| \`src/cli.ts\` | the program |
| \`build.mjs\` | bundles the program into \`dist\`, with the licences of everything in it |

The boundary around files, watching and the command line come from \`@rootbound/kit\`, the protocol from \`@rootbound/protocol\`.

${toolsIn(textOf(files, 'README.md'))}`;
}

/** Returns the section about tools of a server's README, with links to other files of the workspace as text. */
function toolsIn(readme: string): string {
  const section = /^## Tools\n[\s\S]*?(?=^## |$(?![\s\S]))/m.exec(readme)?.[0] ?? '';
  return section.replaceAll(/\[([^[\]]+)\]\(\.\.\/[^()]*\)/g, '$1');
}
