import type { Browser, BrowserType, LaunchOptions } from 'playwright-core';
import { WebError } from '../failure.ts';
import { browserEnvironment } from './browser-environment.ts';
import { driverMissing, findPathProblem } from './check-browser.ts';

export interface BrowserOptions {
  /** path of the program, as given by the operator */
  readonly path: string;
  /** whether pages run without the browser's sandbox; for root there never is one */
  readonly unsandboxed: boolean;
}

/** Switches that close network paths around the proxy, and stop the browser's own requests. */
const switches = [
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  // the first is the name in Chromium, the second that in its older headless shell
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--disable-domain-reliability',
  '--no-pings',
  '--disable-notifications',
  '--js-flags=--max-old-space-size=512',
];
/** Default switches of the driver that reduce protection. */
const unwanted = [
  '--disable-popup-blocking',
  '--disable-ipc-flooding-protection',
  '--disable-hang-monitor',
  '--enable-unsafe-swiftshader',
];
/** A proxy address without listener, for connections that belong to no page. */
const nowhere = { server: 'http://127.0.0.1:9', bypass: '<-loopback>' };
const LAUNCH_MS = 30_000;

/** Starts a browser that ends with this process in any case. */
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
    // this server handles signals, and closes the browser
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
      'the operator can allow unprivileged user namespaces on this machine, or disable it with --browser-unsandboxed',
      error,
    );
  return failed(
    'the browser does not start',
    'the operator can check it with --version, and this server with --doctor',
    error,
  );
}

function failed(message: string, hint: string, cause: unknown): WebError {
  return new WebError(message, { code: 'browser-failed', hint, cause });
}
