import { showName } from '@rootbound/kit/boundary';
import { clipText } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import type { ObjectInfo } from '../../repository/answers.ts';
import { parseTag } from '../../repository/tag.ts';
import { short } from '../history/commit-facts.ts';
import { indented, trimMessage } from '../history/commit-message.ts';
import { nameAndEmail, type Person, toPerson } from '../history/person.ts';
import type { Output } from './show-output.ts';
import type { Begun } from './show-request.ts';

type Tag = NonNullable<Output['tag']>;

const MAX_BYTES = 1 << 20;
/** Bytes of a name; refs have no more. */
const MOST_CHARACTERS = 200;
/** Tags of tags that are followed. */
const MOST_TAGS = 8;

/** An object, and the facts of the first of its tags. */
export interface Untagged {
  readonly info: ObjectInfo;
  readonly tag: Pick<Begun, 'text'> & { readonly facts: { tag?: Tag } };
}

/** Returns the object that a name finally stands for. The message of a tag has at most `room` bytes of JSON. */
export async function untag(opened: Opened, found: ObjectInfo, room: number): Promise<Untagged> {
  let info = found;
  let first: Tag | undefined;
  for (let passed = 0; info.type === 'tag' && passed < MOST_TAGS; passed++) {
    const contents = await opened.objects.read(info.oid, MAX_BYTES);
    if (contents?.bytes === undefined) throw tooLarge();
    const { name, tagger, message, signature, object } = parseTag(contents.bytes);
    const clip = clipText(trimMessage(message), room, { measure: 'json' });
    first ??= {
      name: showName(name.slice(0, MOST_CHARACTERS)),
      oid: info.oid,
      ...(tagger !== undefined && taggedBy(toPerson(tagger))),
      message: clip.truncated ? `${clip.kept}…` : clip.kept,
      ...defined({ signature }),
    };
    info = await opened.find(object);
  }
  if (info.type === 'tag') throw tooLarge();
  return {
    info,
    tag: first === undefined ? { facts: {}, text: '' } : { facts: { tag: first }, text: textOf(first) },
  };
}

function taggedBy(who: Person): Pick<Tag, 'tagger' | 'date'> {
  return { tagger: nameAndEmail(who), ...defined({ date: who.date }) };
}

function textOf({ name, oid, tagger, date, message, signature }: Tag): string {
  return [
    `tag ${name} ${short(oid)}`,
    ...(tagger === undefined ? [] : [`Tagger: ${date === undefined ? tagger : `${tagger}, ${date}`}`]),
    ...(signature === undefined ? [] : [`Signed: ${signature}, not verified`]),
    ...(message === '' ? [] : ['', indented(message)]),
    '',
    '',
  ].join('\n');
}

function tooLarge(): ToolError {
  return new ToolError('the tag is too large, or of too many tags', { code: 'too-large' });
}
