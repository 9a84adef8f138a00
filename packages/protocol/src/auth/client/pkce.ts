import { createHash, randomBytes } from 'node:crypto';

/** A secret of one flow and what may be shown of it. */
export interface CodeProof {
  readonly verifier: string;
  /** the SHA-256 of the verifier */
  readonly challenge: string;
}

/**
 * A fresh proof that the one who redeems a code is the one who asked for it.
 * Source: https://www.rfc-editor.org/rfc/rfc7636#section-4
 */
export function createCodeProof(): CodeProof {
  const verifier = randomBytes(48).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** A text that nobody can guess. */
export function createState(): string {
  return randomBytes(24).toString('base64url');
}
