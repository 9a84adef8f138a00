import { ToolError } from '@rootbound/protocol';
import type { Verb } from './verbs.ts';

const signing: ReadonlySet<Verb> = new Set<Verb>([
  ...(['commit', 'tag', 'merge', 'rebase', 'cherry-pick', 'revert', 'am'] as const),
]);

/** A failure of ssh-keygen, or of git before it starts the program that signs. */
interface Row {
  /** the text before the name of the file, and the one after it */
  readonly around: readonly [before: string, after: string];
  readonly why: (file: string) => string;
  readonly way: (file: string) => string;
}

const agent = (file: string) =>
  `add it to an ssh-agent with ssh-add ${file}, and start the server with the SSH_AUTH_SOCK of that agent`;

/** ssh-keygen's own words; the first matching row decides */
const rows: readonly Row[] = [
  {
    around: ["Couldn't load public key ", ': '],
    why: (file) => `no SSH key can be read from ${file}: it is missing, empty or no key`,
    way: () => 'have user.signingKey name the file of an SSH key, as ssh-keygen -t ed25519 makes one',
  },
  {
    around: [" for '", "' are too open"],
    why: (file) => `ssh-keygen does not use ${file}, as others may read it`,
    way: (file) => `chmod 600 ${file}`,
  },
  {
    around: ['Load key "', '": incorrect passphrase'],
    why: (file) => `${file} is locked by a passphrase, for which nobody can be asked here`,
    way: agent,
  },
  {
    around: ['Load key "', '": '],
    why: (file) => `ssh-keygen cannot read the key ${file}`,
    way: () => 'have user.signingKey name the file of an SSH key that this user may read',
  },
  ...['No private key found for public key "', 'No private key found for "'].map((before) => ({
    around: [before, '"'] as const,
    why: (file: string) => `the private key of ${file} is neither beside it nor in an ssh-agent`,
    way: agent,
  })),
  {
    around: ["Couldn't sign message", ''],
    why: () => 'the ssh-agent that has the key of user.signingKey did not sign',
    way: () => 'unlock the agent, or the device that has the key',
  },
  ...['user.signingKey needs to be set', 'gpg.ssh.defaultKeyCommand needs to be'].map((before) => ({
    around: [before, ''] as const,
    why: () => 'user.signingKey names no key',
    way: () => 'set user.signingKey to the file of an SSH key',
  })),
  {
    around: ['cannot run ', ': '],
    why: (file) => `the program ${file} cannot be started`,
    way: () => 'set gpg.program, or gpg.ssh.program, to one that is there',
  },
];

/** The words of git about an object that was not written; some versions report success for a tag. */
const unsigned =
  /failed to write commit object|failed to sign the data|unable to sign the tag|needs to be (?:set|configured)/;

/** Returns the failure of a run that could not sign, with the file of the key; undefined for another reason. */
export function signingFailure(verb: Verb, stderr: string): ToolError | undefined {
  if (!signing.has(verb)) return undefined;
  const lines = stderr.split('\n');
  for (const { around, why, way } of rows) {
    const file = fileIn(lines, around);
    if (file === undefined || (around[0] === 'cannot run ' && !unsigned.test(stderr))) continue;
    return new ToolError(`git ${verb}: nothing was created, as it could not be signed: ${why(file)}`, {
      code: 'not-signed',
      hint: `${way(file)}; or do without: sign: false`,
    });
  }
  return undefined;
}

function fileIn(lines: readonly string[], [before, after]: Row['around']): string | undefined {
  const line = lines.find((each) => each.includes(before) && each.includes(after, each.indexOf(before)));
  if (line === undefined) return undefined;
  const begin = line.indexOf(before) + before.length;
  const file = line.slice(begin, Math.max(begin, line.lastIndexOf(after)));
  // a key that is written out goes through a file of git's own
  return file.includes('/.git_signing_key_tmp') ? 'the key in user.signingKey' : file;
}
