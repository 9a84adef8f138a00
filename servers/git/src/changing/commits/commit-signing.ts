import type { Opened } from '../../call/open-repository.ts';
import type { Commit } from '../../repository/commit.ts';

/** Returns a notice of a signature: that it was made, or that one is configured and was suppressed. */
export function signingNotice(
  { audit, state }: Opened,
  { signature }: Commit,
  asked: boolean | undefined,
): { signed?: boolean; signing?: string } {
  if (signature !== undefined) return { signed: true };
  const setUp = audit.suppressed.some(
    ({ key, submodule }) => key === 'commit.gpgsign' && submodule === undefined,
  );
  if (asked === false || !setUp || state === 'trusted') return {};
  return {
    signed: false,
    signing: 'not signed: commit.gpgSign of an untrusted repository is ignored; sign: true signs',
  };
}
