// which test files there are, which `npm test` runs, which do more in the full run, and which another Node has to run again
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';

/** The variable that `test/extent.ts` reads for every test that does more in the full run. */
export const MARKER = 'ROOTBOUND_FULL';
/** Tests that need a browser, which a machine with Node and npm alone has not. */
export const WITH_BROWSER = 'servers/fetch/test/rendering/';
/**
 * Files and folders for the full run alone: they install packages, run the commands of every document, start the clients
 * and servers of others, kill servers, fill disks and cut wires, by hundreds of processes, compare large tables, or go
 * through the states, settings and races that a repository, a database or a tree can be in.
 * `npm test` has five minutes on two cores, and the tests beside each part show it the same in small.
 */
export const FULL_ONLY = [
  WITH_BROWSER,
  'packages/protocol/test/surface/cost.test.ts',
  'packages/protocol/test/wire/framing.test.ts',
  'servers/fetch/test/proofs/',
  'servers/fetch/test/start/doctor.test.ts',
  'servers/filesystem/test/search/odd.test.ts',
  'servers/git/test/hostile/hostile.test.ts',
  'servers/git/test/porcelain/generated.test.ts',
  'servers/git/test/proofs/',
  'servers/git/test/remotes/reaching.test.ts',
  'servers/git/test/resources/places.test.ts',
  'servers/git/test/run/failures.test.ts',
  'servers/git/test/trust/by-hand.test.ts',
  'servers/git/test/trust/states.test.ts',
  'servers/git/test/trust/vectors.test.ts',
  'servers/git/test/watching/state.test.ts',
  'servers/git/test/writing/deciding.test.ts',
  'servers/git/test/writing/restoring.test.ts',
  'servers/git/test/writing/signing.test.ts',
  'servers/git/test/writing/stopping.test.ts',
  'servers/git/test/writing/submodules.test.ts',
  'servers/sqlite/test/attacks/bombs.test.ts',
  'servers/sqlite/test/attacks/other-ways.test.ts',
  'servers/sqlite/test/proofs/',
  'test/docs/build.test.ts',
  'test/docs/commands.test.ts',
  'test/doctor/machine.test.ts',
  'test/faults/',
  'test/interop/',
  'test/package/',
  'test/schema/',
  'test/system/',
  'test/watchdog/',
];
/** Folders without tests of ours. */
const LEFT_OUT = new Set(['node_modules', 'dist', 'src']);
/**
 * Files and folders of tests that another Node has nothing to say to: they compare texts of the checkout, or what the
 * compiler and the bundler make of it. No test that serves, connects, starts our programs, waits, watches or encrypts is
 * of these.
 */
export const SAME_UNDER_EVERY_NODE = [
  // the compiler's work and the weight of bundles
  'packages/protocol/test/surface/cost.test.ts',
  // the ledger against the pages that it names
  'test/requirements/ledger.test.ts',
  'test/requirements/prove.test.ts',
  'test/requirements/tally.test.ts',
  // schemas against schemas, both of them tables
  'test/schema/',
  // imports
  'test/structure/',
];

/**
 * Files and folders of tests whose outcome is decided elsewhere than in Node: by git, by the text of a page or a file, by
 * documents, packages and the sources themselves. The processes, sockets, workers, watchers and the native module that
 * they stand on have tests of their own, which run under every Node, as do those that start the built servers.
 */
export const UNDER_ONE_NODE = [
  'packages/create-server/test/',
  'servers/fetch/test/extracting/',
  'servers/fetch/test/formats/',
  'servers/fetch/test/markdown/',
  'servers/fetch/test/pages/',
  'servers/fetch/test/tools/',
  'servers/filesystem/test/editing/',
  'servers/filesystem/test/finding/',
  'servers/filesystem/test/listing/',
  'servers/filesystem/test/prompts/',
  'servers/filesystem/test/reading/',
  'servers/git/test/hostile/',
  'servers/git/test/objects/',
  'servers/git/test/porcelain/',
  'servers/git/test/proofs/files.test.ts',
  'servers/git/test/proofs/guards.test.ts',
  'servers/git/test/proofs/injection.test.ts',
  'servers/git/test/proofs/real-history.test.ts',
  'servers/git/test/proofs/states.test.ts',
  'servers/git/test/remotes/',
  'servers/git/test/repository/',
  'servers/git/test/tools/',
  'servers/git/test/trust/',
  'servers/git/test/trusting/',
  'servers/git/test/writing/',
  'test/agents/',
  'test/docs/',
  'test/interop/',
  'test/package/',
  'test/security/linear/',
  'test/structure/expressions.test.ts',
];

/**
 * Folders of tests that each other Node runs: they start the servers, and go through all that stands on Node itself. What
 * else is left is dealt out, so that each test runs under one of the others.
 */
export const UNDER_EACH_NODE = [
  'packages/kit/test/watch/',
  'packages/protocol/test/client/',
  'packages/protocol/test/http-client/',
  'packages/protocol/test/http/',
  'packages/protocol/test/wire/',
  'servers/fetch/test/start/',
  'servers/fetch/test/web/',
  'servers/filesystem/test/start/',
  'servers/git/test/run/',
  'servers/sqlite/test/lanes/',
  'test/system/',
];

/**
 * Returns the test files of a checkout, or its other files outside of the sources, as paths from its root.
 * @param {string} root
 * @param {RegExp} name
 * @returns {string[]}
 */
export function testFiles(root, name = /\.test\.ts$/) {
  return ['packages', 'servers', 'test'].flatMap((folder) => filesBelow(root, folder, name)).sort();
}

/**
 * The test files that `npm test` runs.
 * @param {string} root
 * @returns {string[]}
 */
export function usualTests(root) {
  return testFiles(root).filter((file) => !isOf(FULL_ONLY, file));
}

/**
 * The test files that do more in the full run, or run there alone.
 * @param {string} root
 * @returns {string[]}
 */
export function longTests(root) {
  /** @type {Map<string, { isMarked: boolean, imports: string[] }>} */
  const read = new Map();
  const isLong = (/** @type {string} */ file) => {
    const reached = new Set([join(root, file)]);
    for (const path of reached) {
      const module = read.get(path) ?? readModule(path);
      read.set(path, module);
      if (module.isMarked) return true;
      for (const target of module.imports) reached.add(target);
    }
    return false;
  };
  return testFiles(root).filter((file) => isOf(FULL_ONLY, file) || isLong(file));
}

/**
 * The test files that one of the other Nodes has to run, too.
 * @param {string} root
 * @param {number} index which of them, from 0
 * @param {number} count how many others there are
 * @returns {string[]}
 */
export function testsOfOtherNode(root, index, count) {
  const spared = [WITH_BROWSER, ...SAME_UNDER_EVERY_NODE, ...UNDER_ONE_NODE];
  const left = testFiles(root).filter((file) => !isOf(spared, file));
  return left.filter((file, place) => isOf(UNDER_EACH_NODE, file) || place % count === index);
}

/**
 * @param {readonly string[]} parts files, and folders that end in a slash
 * @param {string} file
 */
const isOf = (parts, file) => parts.some((part) => file.startsWith(part));

/** @param {string} path */
function readModule(path) {
  const text = readFileSync(path, 'utf8');
  const named = [...text.matchAll(/'(\.{1,2}\/[^'\n]+\.m?[jt]s)'/g)].map(([, name = '']) =>
    resolve(dirname(path), name),
  );
  // what is under test does not know how it is tested
  const imports = named.filter((target) => !target.includes(`${sep}src${sep}`) && existsSync(target));
  return { isMarked: text.includes(MARKER), imports };
}

/**
 * @param {string} root
 * @param {string} folder
 * @param {RegExp} name
 * @returns {string[]}
 */
function filesBelow(root, folder, name) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : filesBelow(root, path, name);
    return name.test(entry.name) ? [path] : [];
  });
}
