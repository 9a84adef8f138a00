import {
  adds,
  listens,
  makes,
  type Proof,
  printsBeside,
  printsChecks,
  printsJson,
  printsOnly,
  runsTour,
  serves,
} from './proofs.ts';

/** Commands of documents, and how they are proved. */
export interface Rule {
  /** matches the name of the document, a space, and the line */
  readonly of: RegExp;
  readonly proof: Proof | Elsewhere;
  /** only in the full run: it takes long, or installs packages of others */
  readonly full?: true;
}

/** The reason why a command is not run here, and the file that runs it, or its script, with a text of that file. */
export interface Elsewhere {
  readonly why: string;
  readonly file: string;
  readonly holds: string;
}

const elsewhere = (why: string, file: string, holds: string): Elsewhere => ({ why, file, holds });
const script = (name: string, why: string): Elsewhere =>
  elsewhere(why, 'package.json', `"${name}": "node scripts/${name}.mjs"`);

export const rules: readonly Rule[] = [
  { of: /^\S+ node servers\/\w+\/dist\/cli\.js( ~\/\S+)*$/, proof: serves },
  { of: /^\S+ npm start -- (filesystem|git|sqlite|fetch)\b/, proof: serves },
  { of: /^\S+ npx -y @rootbound\/server-\w+ /, proof: serves },
  { of: /^\S+ claude mcp add /, proof: adds },
  { of: /^\S+ node \S*cli\.js --http /, proof: listens },
  { of: /^\S+ node \S+ --print-config /, proof: printsJson },
  {
    of: /template\/README\.md node dist\/cli\.js (notes --print-config claude-desktop|--help)$/,
    proof: printsOnly,
  },
  { of: /^\S+ node \S+ --doctor /, proof: printsChecks },
  { of: /^\S+ npm start$/, proof: runsTour },
  { of: /^\S+ npx -y @rootbound\/protocol inspect /, proof: printsBeside, full: true },
  { of: /^\S+ npm run create -- /, proof: makes, full: true },
  { of: /^\S+ npm create @rootbound\/server /, proof: makes, full: true },
  {
    of: /^packages\/(protocol|kit)\/README\.md node [\w-]+\.js/,
    proof: elsewhere('the programs of these pages have tests', 'test/docs/docs.test.ts', 'examples.run('),
  },
  {
    of: /^\S+ docker build /,
    proof: elsewhere('it needs an engine for containers', '.github/workflows/ci.yml', 'run: docker build '),
  },
  {
    of: /^\S+ docker run /,
    proof: elsewhere('it needs an engine for containers', '.github/workflows/ci.yml', 'run: docker run '),
  },
  {
    of: /^(?!\S*template\/)\S+ npm (test|run test:full)$/,
    proof: elsewhere('it runs this test', 'package.json', '"test": "node scripts/test.mjs"'),
  },
  {
    of: /template\/README\.md npm (install|test|run build)$/,
    proof: elsewhere(
      'the test of a created server',
      'test/package/created.test.ts',
      "npm('my-server', 'test')",
    ),
  },
  {
    of: /template\/README\.md npm run dev$/,
    proof: elsewhere(
      'it runs until it is stopped',
      'packages/create-server/template/package.json',
      '"dev": "vitest watch"',
    ),
  },
  {
    of: /create-server\/README\.md npm install$/,
    proof: elsewhere('the created server is installed', 'test/package/created.test.ts', "'--install'"),
  },
  {
    of: /^\S+ npm (run )?create$/,
    proof: elsewhere('it abbreviates another command', 'test/docs/rules.ts', '@rootbound'),
  },
  {
    of: /^(?!\S*template\/)\S+ npm run (build|typecheck|lint)$/,
    proof: elsewhere('its test', 'test/docs/steps.test.ts', "['build', 'typecheck', 'lint']"),
  },
  {
    of: /^\S+ npm run bundles$/,
    proof: elsewhere('its test', 'test/package/bundles.test.ts', "'bundles.mjs'"),
  },
  {
    of: /^\S+ npm run pictures$/,
    proof: elsewhere(
      'its test runs the commands of each picture',
      'test/docs/pictures.test.ts',
      'await record(scene)',
    ),
  },
  {
    of: /^\S+ npm run texts -- git$/,
    proof: elsewhere('its test', 'test/docs/texts.test.ts', "'texts.mjs'"),
  },
  {
    of: /^\S+ npm install --omit=optional$/,
    proof: elsewhere('its test', 'test/package/sizes.test.ts', "'--omit=optional'"),
  },
  {
    of: /^\S+ npm run docs$/,
    proof: elsewhere('its test builds the site', 'test/docs/site.test.ts', "'scripts', 'docs.mjs'"),
  },
  {
    of: /^\S+ npm run versions( -- --only-copy)?$/,
    proof: elsewhere(
      'its test, and it changes the checkout',
      'test/package/registry.test.ts',
      'versions.mjs',
    ),
  },
  {
    of: /^\S+ node scripts\/expressions\.mjs --write$/,
    proof: elsewhere(
      'it changes the checkout',
      'scripts/expressions.mjs',
      'if (values.write === true) writeFileSync(',
    ),
  },
  { of: /^\S+ npm run conformance$/, proof: script('conformance', 'it takes minutes') },
  { of: /^\S+ npm run requirements$/, proof: script('requirements', 'it takes minutes, and runs the tests') },
  { of: /^\S+ npm run hostile$/, proof: script('hostile', 'its test runs in npm test, with fewer') },
  { of: /^\S+ npm run histories\b/, proof: script('histories', 'its test is in the full run, with fewer') },
  { of: /^\S+ npm run bench$/, proof: script('bench', 'it takes minutes, and measures this machine') },
  { of: /^\S+ npm run extraction\b/, proof: script('extraction', 'it needs a corpus of pages') },
  { of: /^\S+ npm run release$/, proof: script('release', 'it publishes') },
  {
    of: /^\S+ npm run release -- --dry-run$/,
    proof: elsewhere('its test', 'test/package/shipment.test.ts', "'--dry-run'"),
  },
  {
    of: /^\S+ npx vitest run --project kit$/,
    proof: elsewhere('the program that runs this test', 'vitest.config.ts', "name: 'kit'"),
  },
  {
    of: /^\S+ npx biome check --write packages\/kit$/,
    proof: elsewhere('npm run lint checks the same', 'packages/kit/package.json', 'biome check .'),
  },
  {
    of: /^\S+ npx changeset$/,
    proof: elsewhere('it asks on a terminal', 'package.json', '"@changesets/cli"'),
  },
  {
    of: /^\S+ mcp-publisher publish$/,
    proof: elsewhere('it publishes', 'test/package/registry.test.ts', 'is valid for the registry'),
  },
  {
    of: /^\S+ git apply -p0$/,
    proof: elsewhere('its test', 'servers/filesystem/test/editing/applied.test.ts', "['apply', '-p0'"),
  },
];
