import { createHash, randomBytes } from 'node:crypto';

/** The PKCE verifier of one flow and its challenge. */
export interface CodeProof {
  readonly verifier: string;
  /** the SHA-256 of the verifier */
  readonly challenge: string;
}

/**
 * Returns a new PKCE verifier with its challenge.
 * Source: https://www.rfc-editor.org/rfc/rfc7636#section-4
 */
export function createCodeProof(): CodeProof {
  const verifier = randomBytes(48).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Returns an unguessable text. */
export function createState(): string {
  return randomBytes(24).toString('base64url');
}
