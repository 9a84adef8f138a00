import type { Browser, BrowserType, LaunchOptions } from 'playwright-core';
import { WebError } from '../failure.ts';
import { driverMissing, findPathProblem } from './check-browser.ts';
import { browserEnvironment } from './environment.ts';

export interface BrowserOptions {
  /** the program, as the operator names it */
  readonly path: string;
  /** run pages without the browser's own sandbox; it is always off for root, for whom no browser has one */
  readonly unsandboxed: boolean;
}

/** Ways out that do not pass the proxy are closed, and what browsers send of themselves. */
const switches = [
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  // the first is what this flag is called by Chromium itself, the second by its older headless form
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--disable-domain-reliability',
  '--no-pings',
  '--disable-notifications',
  '--js-flags=--max-old-space-size=512',
];
/** What the driver switches off that protects, or on that does not. */
const unwanted = [
  '--disable-popup-blocking',
  '--disable-ipc-flooding-protection',
  '--disable-hang-monitor',
  '--enable-unsafe-swiftshader',
];
/** Nothing listens there: what belongs to no page goes nowhere. */
const nowhere = { server: 'http://127.0.0.1:9', bypass: '<-loopback>' };
const LAUNCH_MS = 30_000;

/** Starts a browser that ends with this process, however that ends. */
export async function launchBrowser({ path, unsandboxed }: BrowserOptions): Promise<Browser> {
  const chromium = await loadDriver();
  const options: LaunchOptions = {
    executablePath: path,
    chromiumSandbox: !unsandboxed && process.getuid?.() !== 0,
    proxy: nowhere,
    args: switches,
    ignoreDefaultArgs: unwanted,
    env: browserEnvironment(process.env),
    timeout: LAUNCH_MS,
    // signals are this server's to answer; it closes the browser then
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  };
  try {
    return await chromium.launch(options);
  } catch (error) {
    throw await whyNot(path, error);
  }
}

async function loadDriver(): Promise<BrowserType> {
  try {
    return (await import('playwright-core')).chromium;
  } catch (error) {
    throw failed(driverMissing.problem, driverMissing.fix, error);
  }
}

async function whyNot(path: string, error: unknown): Promise<WebError> {
  const wrong = await findPathProblem(path);
  if (wrong !== undefined) return failed(wrong.problem, wrong.fix, error);
  const text = error instanceof Error ? error.message : '';
  if (/sandbox/i.test(text))
    return failed(
      'the browser cannot set up its sandbox',
      'the operator can allow unprivileged user namespaces on this machine, or go without it by --browser-unsandboxed',
      error,
    );
  return failed(
    'the browser does not start',
    'the operator can run it with --version, and this server with --doctor',
    error,
  );
}

function failed(message: string, hint: string, cause: unknown): WebError {
  return new WebError(message, { code: 'browser-failed', hint, cause });
}
