// takes pictures of pages with a Chromium of this machine
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../setup.mjs';

/** @typedef {import('playwright-core').Page} Page */

const { chromium } = createRequire(join(root, 'servers', 'fetch', 'package.json'))('playwright-core');

/**
 * Takes a picture of a page.
 * @param {string} url
 * @param {{ width: number, height: number }} size
 * @param {(page: Page) => Promise<void>} act uses the page before
 * @returns {Promise<Buffer>} the page as PNG
 */
export async function pictureOf(url, size, act) {
  const browser = await chromium.launch({
    executablePath: execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim(),
    // as root, Chromium has no sandbox
    chromiumSandbox: process.getuid?.() !== 0,
  });
  try {
    const page = await browser.newPage({ viewport: size, reducedMotion: 'reduce' });
    await page.goto(url);
    page.setDefaultTimeout(30_000);
    await act(page);
    return await page.screenshot();
  } finally {
    await browser.close();
  }
}

/**
 * Starts a program, and ends it with its child processes after the work.
 * @template T
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} surroundings
 * @param {RegExp} ready matches the line after which it can be used
 * @param {() => Promise<T>} work
 */
export async function whileRunning(command, args, { cwd, env }, ready, work) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  try {
    for await (const line of createInterface(child.stdout)) if (ready.test(line)) break;
    child.stdout.resume();
    return await work();
  } finally {
    process.kill(-Number(child.pid));
    await once(child, 'exit');
  }
}

/** Returns a free port. @returns {Promise<string>} */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}
