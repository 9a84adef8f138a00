import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { rpcError } from '../protocol/errors.ts';
import type * as t from '../protocol/types.ts';
import type { PendingInput } from './input-required.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LIFETIME_MS = 10 * 60_000;
const MAX_STATE_BYTES = 64 * 1024;

/** The request that a state belongs to; it is valid for no other. */
export interface StateBinding {
  method: string;
  params: Record<string, unknown>;
  principal: string | undefined;
}

interface Sealed {
  expires: number;
  /** responses of earlier rounds, each with the digest of its question */
  answers: Record<string, { question: string; response: t.InputResponse }>;
  /** digests of the questions of this round */
  asked: Record<string, string>;
}

/**
 * Encrypts the responses of a multi-round request into an opaque state. Only this server can open it, for the
 * same method, arguments and principal, within ten minutes.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export class RequestStates {
  readonly #key: Buffer;

  /** `key` (32 bytes) lets several processes open each other's states; default is a random key. */
  constructor(key: Uint8Array = randomBytes(32)) {
    if (key.length !== 32) throw new TypeError('stateKey must have 32 bytes');
    this.#key = Buffer.from(key);
  }

  open(state: unknown, binding: StateBinding): RoundAnswers {
    return state === undefined ? new RoundAnswers(undefined) : new RoundAnswers(this.#unseal(state, binding));
  }

  seal(answers: RoundAnswers, pending: PendingInput, binding: StateBinding): string {
    const asked = Object.fromEntries(Object.entries(pending).map(([key, request]) => [key, digest(request)]));
    const sealed: Sealed = { expires: Date.now() + LIFETIME_MS, answers: answers.all(), asked };
    const plain = Buffer.from(JSON.stringify(sealed));
    if (plain.length > MAX_STATE_BYTES)
      throw rpcError('InternalError', 'the responses of this call are too large for its state');
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce);
    cipher.setAAD(bindingBytes(binding));
    const text = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
  }

  #unseal(state: unknown, binding: StateBinding): Sealed {
    // the same text for every failure, so that it reveals nothing
    const refusal = rpcError(
      'InvalidParams',
      'requestState is not valid for this request; start again without it',
    );
    if (typeof state !== 'string' || state.length > 2 * MAX_STATE_BYTES) throw refusal;
    let sealed: Sealed;
    try {
      const bytes = Buffer.from(state, 'base64url');
      const decipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(bindingBytes(binding));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const plain = Buffer.concat([
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
        decipher.final(),
      ]);
      sealed = JSON.parse(plain.toString()) as Sealed; // only this class encrypts with this key
    } catch {
      // any failure means that it is no state of this server for this request
      throw refusal;
    }
    if (sealed.expires < Date.now()) throw refusal;
    return sealed;
  }
}

/** The responses of earlier rounds of one call and, after `accept`, of this round. */
export class RoundAnswers {
  readonly #answers: Sealed['answers'];
  readonly #asked: Sealed['asked'];

  constructor(sealed: Sealed | undefined) {
    this.#answers = { ...sealed?.answers };
    this.#asked = sealed?.asked ?? {};
  }

  /** Adds this round's responses to questions that were asked; others are ignored. */
  accept(responses: unknown): void {
    if (responses === undefined) return;
    if (typeof responses !== 'object' || responses === null || Array.isArray(responses)) {
      throw rpcError('InvalidParams', 'inputResponses must be an object');
    }
    for (const [key, response] of Object.entries(responses)) {
      const question = Object.hasOwn(this.#asked, key) ? this.#asked[key] : undefined;
      if (question === undefined) continue;
      if (typeof response !== 'object' || response === null || Array.isArray(response)) {
        throw rpcError('InvalidParams', `inputResponses.${key} must be an object`);
      }
      this.#answers[key] = { question, response: response as t.InputResponse }; // the question's read checks it
    }
  }

  /** Returns the response to this exact question. */
  find(key: string, request: t.InputRequest): t.InputResponse | undefined {
    const answer = Object.hasOwn(this.#answers, key) ? this.#answers[key] : undefined;
    return answer !== undefined && answer.question === digest(request) ? answer.response : undefined;
  }

  all(): Sealed['answers'] {
    return this.#answers;
  }
}

function bindingBytes({ method, params, principal }: StateBinding): Buffer {
  const { _meta, inputResponses, requestState, ...own } = params;
  return Buffer.from(JSON.stringify([method, digest(own), principal ?? null]));
}

/** Returns a digest that does not depend on the order of members. */
function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sorted)).digest('base64url');
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
