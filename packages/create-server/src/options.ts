import { parseArgs } from 'node:util';
import { nameProblem } from './names.ts';
import { Problem } from './problem.ts';
import { TRANSPORTS, type Transport } from './template.ts';

/** The options of the command line; an undefined one is asked for, or has its default. */
export interface Options {
  readonly folder: string | undefined;
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly transport: Transport | undefined;
  readonly git: boolean | undefined;
  readonly install: boolean | undefined;
  /** the server of a checkout to fork; undefined: the template */
  readonly from: string | undefined;
  readonly checkout: string | undefined;
  /** a folder with tarballs of Rootbound's packages */
  readonly packages: string | undefined;
  /** asks nothing */
  readonly yes: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

export const USAGE = `usage: npm create @rootbound/server [folder] -- [flags]

Makes a Model Context Protocol server that works: a tool with progress and a question to the user, resources that can
be subscribed to, a prompt, tests over every transport. On a terminal it asks for what is not given.

  --name <name>          npm name of the package; default that of the folder
  --description <text>   one sentence about it
  --transport <way>      stdio (default) or http: how its entries for clients and npm start reach it; it speaks both
  --git, --no-git        make a git repository; default unless the folder is in one
  --install, --no-install  run npm install; default yes
  --yes, -y              ask nothing and take the defaults
  --from <server>        fork filesystem, git, sqlite or fetch of a checkout instead
  --checkout <folder>    the checkout of Rootbound for --from
  --packages <folder>    take Rootbound's packages from tarballs there instead of the registry
  --version, --help
`;

const flag = { type: 'boolean' } as const;
const text = { type: 'string' } as const;
const options = {
  name: text,
  description: text,
  transport: text,
  git: flag,
  install: flag,
  from: text,
  checkout: text,
  packages: text,
  yes: { ...flag, short: 'y' },
  help: { ...flag, short: 'h' },
  version: flag,
} as const;

/** Parses a command line; throws a Problem for a mistake. */
export function readOptions(argv: readonly string[]): Options {
  const { values, positionals } = parsed(argv);
  if (positionals.length > 1) throw new Problem(`one folder is made, not ${positionals.join(', ')}`);
  const { name, description, transport, git, install, from, checkout, packages } = values;
  if (name !== undefined) assertName(name);
  if (description !== undefined) assertDescription(description);
  if (from !== undefined && checkout === undefined)
    throw new Problem('servers are forked from a checkout of Rootbound; name it with --checkout');
  return {
    folder: positionals[0],
    name,
    description,
    transport: transport === undefined ? undefined : toTransport(transport),
    git,
    install,
    from,
    checkout,
    packages,
    yes: values.yes ?? false,
    help: values.help ?? false,
    version: values.version ?? false,
  };
}

/** Throws for a name that npm would reject, with the reason. */
export function assertName(name: string, hint = 'choose another with --name'): void {
  const problem = nameProblem(name);
  if (problem !== undefined)
    throw new Problem(`${JSON.stringify(name)} can be no npm name, since ${problem}; ${hint}`);
}

/** Throws for a description that is not one line of text. */
export function assertDescription(description: string): void {
  if (description.trim() === '' || /\p{Cc}/u.test(description))
    throw new Problem('a description is one line of text');
}

/** Returns the transport of that name. */
export function toTransport(word: string): Transport {
  const transport = TRANSPORTS.find((one) => one === word);
  if (transport === undefined)
    throw new Problem(`there is no transport ${JSON.stringify(word)}; it is ${TRANSPORTS.join(' or ')}`);
  return transport;
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, allowNegative: true });
  } catch (cause) {
    const [message] = cause instanceof Error ? cause.message.split('. ') : [String(cause)];
    throw new Problem(`${message}; --help lists the flags`, { cause });
  }
}
