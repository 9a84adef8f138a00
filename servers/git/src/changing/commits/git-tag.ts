import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { tool } from '../../call/workspace.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import { type RefName, refName } from '../../run/operand.ts';
import { changed } from '../safety/change-schema.ts';
import { messageOf } from '../safety/message.ts';
import { movement, pointOf } from '../safety/point.ts';
import { expectRef } from '../safety/refs.ts';
import { isSigned, notSigned, signingOf } from './tag-signing.ts';

const input = z.strictObject({
  repo_path: repoPath,
  tag_name: z.string(),
  revision: z.string().optional().describe('default HEAD'),
  message: z.string().optional().describe('makes an annotated tag'),
  sign: z.boolean().optional().describe('default as configured'),
  force: z.boolean().optional().describe('moves an existing tag'),
  delete: z.boolean().optional(),
  expected: z.string().optional().describe('the object it must have: else nothing is done'),
});

const output = z.object({
  ...changed,
  tag: z.string(),
  object: z.string().optional().describe('it is at; absent: it was deleted'),
  target: z.string().optional().describe('an annotated one is of'),
  previous: z.string().optional().describe('the object it was at'),
  signed: z.boolean().optional(),
  unsigned_because: z.string().optional(),
});

type Arguments = z.output<typeof input>;
type TagResult = Omit<z.input<typeof output>, keyof typeof changed>;

export const gitTag = tool({
  name: 'git_tag',
  title: 'Tag',
  description: 'Creates, moves or deletes a tag.',
  input,
  output,
  annotations: { destructiveHint: true, openWorldHint: false },
  run(args, { scope: { scope, repositories }, signal }) {
    return repositories.change(scope, args.repo_path, signal, async (opened) => {
      const name = tagName(args.tag_name);
      const at = await pointOf(opened);
      const there = (await opened.objects.info(`refs/tags/${name}`))?.oid;
      if (args.expected !== undefined && args.expected !== there) throw elsewhere(name, there);
      const facts = args.delete
        ? await remove(opened, name, there, args)
        : await make(opened, name, there, args);
      return { ...movement(opened, at, at, undoOf(name, there)), tag: name, ...facts };
    });
  },
  render({ tag, object, target, previous, signed, unsigned_because: why }) {
    if (object === undefined) return `deleted ${tag}, which was at ${previous?.slice(0, 12)}`;
    const kind = target === undefined ? '' : signed ? ' (annotated, signed)' : ' (annotated, not signed)';
    const moved = previous === undefined ? '' : `, was at ${previous.slice(0, 12)}`;
    const line = `tagged ${(target ?? object).slice(0, 12)} as ${tag}${kind}${moved}`;
    return why === undefined ? line : `${line}\n${why}`;
  },
});

async function make(
  opened: Opened,
  name: RefName,
  there: Oid | undefined,
  { revision = 'HEAD', message, sign, force = false }: Arguments,
): Promise<Omit<TagResult, 'tag'>> {
  if (there !== undefined && !force) throw taken(name);
  if (sign === true && message === undefined) throw invalid('a tag without a message cannot be signed');
  const target = await opened.resolve(revision, 'any');
  const forced = force ? (['--force'] as const) : [];
  const moved = there === undefined ? {} : { previous: there };
  if (message === undefined) {
    await opened.run(command('tag', { flags: [...forced, '--no-sign'], names: [name], revisions: [target] }));
    await expectRef(opened, `refs/tags/${name}`, target);
    return { object: target, ...moved };
  }
  const signing = await signingOf(opened, sign);
  const { stderr } = await opened.run(
    command('tag', {
      flags: [
        ...forced,
        ...(signing.sign ? (['--sign'] as const) : (['--annotate', '--no-sign'] as const)),
        '--file=-',
        '--cleanup=verbatim',
      ],
      names: [name],
      revisions: [target],
      input: Buffer.from(messageOf(message)),
    }),
  );
  const made = await opened.find(`refs/tags/${name}`);
  if (made.oid === there || made.type !== 'tag') throw elsewhere(name, made.oid);
  if (signing.sign && !(await isSigned(opened, made.oid))) {
    await putBack(opened, name, there);
    throw notSigned(stderr);
  }
  return {
    object: made.oid,
    target,
    ...moved,
    signed: signing.sign,
    ...defined({ unsigned_because: signing.unsigned }),
  };
}

/** Some versions of git make an unsigned tag, and report success, where the key of SSH does not sign. */
async function putBack(opened: Opened, name: RefName, there: Oid | undefined): Promise<void> {
  const back =
    there === undefined
      ? command('tag', { flags: ['--delete'], names: [name] })
      : command('tag', { flags: ['--force', '--no-sign'], names: [name], revisions: [there] });
  await opened.run(back);
  await expectRef(opened, `refs/tags/${name}`, there);
}

async function remove(
  opened: Opened,
  name: RefName,
  there: Oid | undefined,
  { revision, message, sign, force }: Arguments,
): Promise<Omit<TagResult, 'tag'>> {
  if ([revision, message, sign, force].some((given) => given !== undefined))
    throw invalid('delete takes no more than tag_name and expected');
  if (there === undefined) {
    throw new ToolError(`there is no tag ${name}`, {
      code: 'unknown-revision',
      hint: 'git_list with kind tags lists them',
    });
  }
  await opened.run(command('tag', { flags: ['--delete'], names: [name] }));
  await expectRef(opened, `refs/tags/${name}`, undefined);
  return { previous: there };
}

/** a tag at the tag object of an annotated tag is that one again */
function undoOf(name: string, there: Oid | undefined): string {
  const tag = `git_tag with tag_name ${JSON.stringify(name)}`;
  return there === undefined ? `${tag} and delete` : `${tag}, force and revision "${there}"`;
}

function tagName(text: string): RefName {
  if (!text.startsWith('refs/')) return refName(text);
  throw new ToolError('tag_name is the name of a reference itself', {
    code: 'invalid-ref',
    hint: 'leave out refs/tags/',
  });
}

function invalid(message: string): ToolError {
  return new ToolError(message, { code: 'invalid-arguments' });
}

function taken(name: string): ToolError {
  return new ToolError(`the tag ${name} is there already`, {
    code: 'exists',
    hint: 'choose another name, or set force to move it',
  });
}

function elsewhere(name: string, there: Oid | undefined): ToolError {
  return new ToolError(`the tag ${name} is ${there === undefined ? 'not there' : `at ${there}`}`, {
    code: 'moved',
    hint: 'look at what is new first',
  });
}
