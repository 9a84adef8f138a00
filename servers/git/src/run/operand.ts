import { ToolError } from '@rootbound/protocol';
import { isOid, type Oid, toOid } from './oid.ts';

declare const kindBrand: unique symbol;
type Operand<Kind extends string> = string & { readonly [kindBrand]: Kind };

/** `HEAD`, `main`, `refs/heads/main`, or a prefix of such names. */
export type RefName = Operand<'ref'>;
/** With `*` for any part of a component. */
export type RefPattern = Operand<'pattern'>;
export type RemoteName = Operand<'remote'>;
export type Url = Operand<'url'>;
/** The source and destination of a fetch or a push, `source:destination`. */
export type Refspec = Operand<'refspec'>;
/** `a..b`, `a...b` or `^a`. */
export type Range = Operand<'range'>;

// characters that git-check-ref-format(1) forbids
const forbidden = /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|^[./]|[./]$/;
/** Any revision of gitrevisions(7): `main@{upstream}`, `:/text`. */
export type Expression = Operand<'expression'>;

/** Returns whether git would take this as the name of a reference, and nothing for an option. */
export function isRefName(text: string): boolean {
  return text !== '' && text !== '@' && !text.startsWith('-') && !forbidden.test(text) && text.isWellFormed();
}

export function refName(text: string): RefName {
  if (isRefName(text)) return text as RefName;
  throw new ToolError('not a valid name for a reference', {
    code: 'invalid-ref',
    hint: 'a name has no spaces, control characters or any of ~^:?*[\\, no "..", and does not begin with "-"',
  });
}

export function refPattern(text: string): RefPattern {
  refName(text.replaceAll('*', 'x'));
  return text as RefPattern;
}

export function remoteName(text: string): RemoteName {
  if (isRefName(text) && !text.includes('/../')) return text as string as RemoteName;
  throw new ToolError('not a valid name for a remote', { code: 'invalid-remote' });
}

// neither the user nor the host may look like an option to ssh
const withScheme = /^(?:https?|ssh|git|file):\/\/(?!-|[^/]*@-)[^\s\p{Cc}]+$/iu;
// the short form of ssh; one letter before the colon is a drive of Windows, and `a::b` a helper of git
const short = /^(?:\w[\w.+-]*@)?(?:\w[\w.-]+|\[[\da-f:.]+\]):(?!:|\/\/)[^\s\p{Cc}]+$/iu;

/**
 * Returns an address of a repository: a URL, or the short form `user@host:path`. Each run decides which protocols are
 * permitted.
 */
export function toUrl(text: string): Url {
  if ((withScheme.test(text) || short.test(text)) && text.isWellFormed()) return text as Url;
  throw new ToolError('not an address of a repository', {
    code: 'invalid-url',
    hint: 'use https://host/path or ssh://user@host/path',
  });
}

/** Returns a refspec of a fetch, of full names; `force` lets it move a reference that is no ancestor. */
export function fetchSpec(
  source: RefName | RefPattern,
  destination: RefName | RefPattern,
  force = false,
): Refspec {
  return `${force ? '+' : ''}${wholeName(source)}:${wholeName(destination)}` as Refspec;
}

/**
 * Returns a refspec of a push, of an id or full names; it never forces. Without a source, it deletes the destination.
 */
export function pushSpec(source: Oid | RefName | undefined, destination: RefName): Refspec {
  const from = source === undefined || isOid(source) ? (source ?? '') : wholeName(source);
  return `${from}:${wholeName(destination)}` as Refspec;
}

/** a branch may be called `+x`, and a refspec that begins so would force */
function wholeName<Name extends RefName | RefPattern>(name: Name): Name {
  if (name.startsWith('refs/')) return name;
  throw new TypeError('not the whole name of a reference');
}

/** Returns an expression for `rev-parse`, which alone may resolve it to an object. */
export function expression(text: string): Expression {
  if (text === '' || /^-|[\0\n]/.test(text) || !text.isWellFormed()) throw new TypeError('not an expression');
  return text as Expression;
}

/** Returns the range of commits that can be reached from `b` and not from `a`. */
export function range(a: Oid, b: Oid): Range {
  return `${toOid(a)}..${toOid(b)}` as Range;
}

/** Returns the range of commits that can be reached from exactly one of them. */
export function symmetric(a: Oid, b: Oid): Range {
  return `${toOid(a)}...${toOid(b)}` as Range;
}

/** Returns all commits except those that can be reached from `a`. */
export function not(a: Oid): Range {
  return `^${toOid(a)}` as Range;
}

/** Returns the stash with this number; the newest one is 0. */
export function stashEntry(index: number): RefName {
  if (!Number.isSafeInteger(index) || index < 0) throw new TypeError('not the number of a stash');
  return `stash@{${index}}` as RefName;
}
