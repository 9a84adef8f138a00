import { ToolError } from '@rootbound/protocol';
import { WebError } from '../failure.ts';
import type { Visit } from '../web/visit.ts';

const beyond = 'give a larger max_bytes; the operator limits it with --max-download';

/** Returns the facts of a response for the failure of its download. */
export function wayOf({ url, status, redirects, elapsedMs }: Visit) {
  return { finalUrl: url.href, status, redirects, elapsedMs: elapsedMs() };
}

export function overQuota(visit: Visit, most: number): WebError {
  return new WebError(`the file has more than ${most.toLocaleString('en')} bytes`, {
    code: 'too-large',
    hint: beyond,
    ...wayOf(visit),
  });
}

export function incomplete(visit: Visit, bytes: number, total: number): WebError {
  const message = `${bytes.toLocaleString('en')} of ${total.toLocaleString('en')} bytes were received`;
  return new WebError(message, { code: 'connection-cut', retryable: true, ...wayOf(visit) });
}

export function overlong(visit: Visit): WebError {
  return new WebError('the server sent more bytes than it announced', {
    code: 'connection-cut',
    retryable: true,
    hint: 'no bytes were kept; repeat the call',
    ...wayOf(visit),
  });
}

export function mismatch(visit: Visit, sha256: string): WebError {
  return new WebError(`the sha256 of the file is ${sha256}, not expected_sha256`, {
    code: 'checksum-mismatch',
    hint: 'nothing was saved; check the source of expected_sha256',
    ...wayOf(visit),
  });
}

/** Returns whether another try would fail in the same way. */
export function isFinal(error: unknown): boolean {
  return error instanceof WebError && (error.code === 'checksum-mismatch' || error.code === 'too-large');
}

/** Returns the failure with the next step of a download: to resume it, if `kept` bytes are kept. */
export function refined(error: unknown, kept = 0): unknown {
  const resume = kept > 0 ? `resume: true continues after the ${kept} bytes that are kept` : undefined;
  if (error instanceof WebError) {
    const { message, code, retryable, retryAfterMs, excerpt, cause, way } = error;
    const hint = resume ?? (code === 'too-large' ? beyond : error.hint);
    return new WebError(message, { code, retryable, hint, retryAfterMs, excerpt, cause, ...way });
  }
  if (!(error instanceof ToolError) || resume === undefined) return error;
  const { message, code, retryable, hint } = error;
  return new ToolError(message, {
    code,
    retryable,
    hint: hint === undefined ? resume : `${hint}; ${resume}`,
    cause: error,
  });
}
