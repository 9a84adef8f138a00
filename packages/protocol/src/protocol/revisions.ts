/**
 * The two eras of the protocol: handshake (a connection begins with `initialize`) and stateless (each request
 * carries its own version, client and capabilities).
 * @example const era: Era = client.era;
 */
export type Era = 'handshake' | 'stateless';

/**
 * The features of a revision; features that are false are left out of its messages.
 * @example
 * const features: RevisionFeatures = revisions['2025-06-18'];
 * features.structured; // => true
 */
export interface RevisionFeatures {
  era: Era;
  /** JSON-RPC batches may be received */
  batches: boolean;
  /** tool annotations, audio content, the completions capability, progress messages */
  annotations: boolean;
  /** outputSchema and structuredContent, resource links, titles, elicitation, `_meta` on definitions */
  structured: boolean;
  /** icons, URL elicitation, tools in sampling, descriptions of implementations */
  icons: boolean;
  /** invalid tool arguments are reported as a result with isError instead of an error response */
  argumentErrorsAsResults: boolean;
  /** an error response to an unreadable request omits `id` instead of sending null */
  omitsUnknownId: boolean;
}

/**
 * The supported revisions with their features, oldest first.
 * @example revisions['2025-03-26'].batches; // => true
 */
export const revisions = {
  '2024-11-05': row('handshake', { batches: false, annotations: false, structured: false, icons: false }),
  '2025-03-26': row('handshake', { batches: true, annotations: true, structured: false, icons: false }),
  '2025-06-18': row('handshake', { batches: false, annotations: true, structured: true, icons: false }),
  '2025-11-25': row('handshake', { batches: false, annotations: true, structured: true, icons: true }),
  '2026-07-28': row('stateless', { batches: false, annotations: true, structured: true, icons: true }),
} as const satisfies Record<string, RevisionFeatures>;

/**
 * A revision of the protocol, named by its date.
 * @example const revision: Revision = '2025-11-25';
 */
export type Revision = keyof typeof revisions;

/**
 * The supported revisions, oldest first.
 * @example allRevisions.length; // => 5
 */
export const allRevisions: readonly Revision[] = [
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  '2026-07-28',
];
/**
 * The revisions in which a connection begins with `initialize`, oldest first.
 * @example handshakeRevisions.at(-1); // => '2025-11-25'
 */
export const handshakeRevisions: readonly Revision[] = allRevisions.slice(0, 4);
/**
 * The revisions in which each request carries its own version, client and capabilities, oldest first.
 * @example statelessRevisions.includes('2026-07-28'); // => true
 */
export const statelessRevisions: readonly Revision[] = allRevisions.slice(4);
export const newestHandshakeRevision: Revision = '2025-11-25';
export const newestStatelessRevision: Revision = '2026-07-28';

export function isRevision(value: unknown): value is Revision {
  return typeof value === 'string' && Object.hasOwn(revisions, value);
}

export function isHandshakeRevision(value: unknown): value is Revision {
  return isRevision(value) && revisions[value].era === 'handshake';
}

export function isStatelessRevision(value: unknown): value is Revision {
  return isRevision(value) && revisions[value].era === 'stateless';
}

function row(
  era: Era,
  features: Pick<RevisionFeatures, 'batches' | 'annotations' | 'structured' | 'icons'>,
): RevisionFeatures {
  return { era, ...features, argumentErrorsAsResults: features.icons, omitsUnknownId: features.icons };
}
