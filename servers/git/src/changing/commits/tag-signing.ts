import { ToolError } from '@rootbound/protocol';
import { trustLost } from '../../call/hooks.ts';
import type { Opened } from '../../call/open-repository.ts';
import { isTrue } from '../../porcelain/settings.ts';
import { parseTag } from '../../repository/tag.ts';
import type { Oid } from '../../run/oid.ts';
import { signingFailure } from '../../run/signing-failure.ts';

/** Whether a tag is signed, and the reason where the settings ask for it and it is not. */
export interface Signing {
  readonly sign: boolean;
  readonly unsigned: string | undefined;
}

const keys: readonly string[] = ['tag.gpgsign', 'tag.forcesignannotated'];
/** Bytes of a tag that is read back. */
const MOST_BYTES = 4 << 20;

/** Returns how an annotated tag is signed: as asked, or else as the permitted settings say. */
export async function signingOf(opened: Opened, asked: boolean | undefined): Promise<Signing> {
  if (asked !== undefined) return { sign: asked, unsigned: undefined };
  const settings = await opened.config();
  const sign = keys.some((wanted) => {
    const last = settings.findLast(({ key }) => key === wanted);
    return last !== undefined && isTrue(last.value);
  });
  const off =
    opened.state === 'trusted' ? undefined : opened.audit.suppressed.find(({ key }) => keys.includes(key));
  if (!sign && off !== undefined && opened.state === 'changed') throw trustLost([off.key]);
  const why = `${off?.key} of the repository is not heeded, as it is not trusted; sign: true signs with the operator's program`;
  return { sign, unsigned: sign || off === undefined ? undefined : why };
}

/** Returns whether a tag has a signature. */
export async function isSigned({ objects }: Opened, tag: Oid): Promise<boolean> {
  const found = await objects.read(tag, MOST_BYTES);
  return found?.bytes !== undefined && parseTag(found.bytes).signature !== undefined;
}

/** Returns the failure of a tag that was to be signed and is not, by the words of git. */
export function notSigned(stderr: string): ToolError {
  return (
    signingFailure('tag', stderr) ??
    new ToolError('the signing program signed nothing, so there is no new tag', {
      code: 'not-signed',
      hint: 'set up gpg.program, or do without: sign: false',
    })
  );
}
