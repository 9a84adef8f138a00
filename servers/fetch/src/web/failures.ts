import { type FailureCode, type Way, WebError, type WebErrorOptions } from '../failure.ts';

interface Known {
  readonly code: FailureCode;
  readonly says: (host: string) => string;
  readonly hint?: string;
  readonly retryable?: boolean;
}

const trust =
  'the operator can trust its authority with NODE_EXTRA_CA_CERTS, or accept it with --insecure-tls';
const later = 'try again later';
const spelling = 'check the spelling of the host name';
const unfinished = 'try again; the response was incomplete';

const certificate = (says: (host: string) => string): Known => ({ code: 'tls-failed', says, hint: trust });
const unconnected = (says: (host: string) => string): Known => ({
  code: 'connect-failed',
  says,
  hint: later,
  retryable: true,
});
const cut: Known = {
  code: 'connection-cut',
  says: (host) => `${host} closed the connection before the response was complete`,
  hint: unfinished,
  retryable: true,
};
const untrusted = certificate(
  (host) => `the certificate of ${host} is signed by an authority that is not trusted`,
);
const selfSigned = certificate((host) => `the certificate of ${host} is self-signed`);
const crowded: Known = {
  code: 'busy',
  says: () => 'this server has too many connections open',
  hint: later,
  retryable: true,
};

/** The failures for error codes of Node and undici. */
const known: Readonly<Record<string, Known>> = {
  ENOTFOUND: {
    code: 'name-not-found',
    says: (host) => `no IP address was found for ${host}`,
    hint: spelling,
  },
  ENODATA: { code: 'name-not-found', says: (host) => `no IP address was found for ${host}`, hint: spelling },
  EAI_AGAIN: {
    code: 'name-not-found',
    says: (host) => `the name service did not answer for ${host}`,
    hint: later,
    retryable: true,
  },
  ECONNREFUSED: unconnected((host) => `${host} refuses connections`),
  ETIMEDOUT: unconnected((host) => `${host} does not answer`),
  UND_ERR_CONNECT_TIMEOUT: unconnected((host) => `${host} does not answer`),
  EHOSTUNREACH: unconnected((host) => `there is no route to ${host}`),
  ENETUNREACH: unconnected((host) => `there is no route to ${host}`),
  EADDRNOTAVAIL: unconnected((host) => `there is no route to ${host}`),
  EACCES: unconnected((host) => `this machine does not allow connections to ${host}`),
  EPERM: unconnected((host) => `this machine does not allow connections to ${host}`),
  EMFILE: crowded,
  ENFILE: crowded,
  ENOBUFS: crowded,
  CERT_HAS_EXPIRED: certificate((host) => `the certificate of ${host} has expired`),
  CERT_NOT_YET_VALID: certificate((host) => `the certificate of ${host} is not valid yet`),
  CERT_REVOKED: certificate((host) => `the certificate of ${host} was revoked`),
  ERR_TLS_CERT_ALTNAME_INVALID: certificate((host) => `the certificate of ${host} is for other hosts`),
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_UNTRUSTED: untrusted,
  ERR_SSL_WRONG_VERSION_NUMBER: {
    code: 'tls-failed',
    says: (host) => `${host} does not speak TLS on this port`,
    hint: 'try the address with http:// if the site has no https',
  },
  ECONNRESET: cut,
  ECONNABORTED: cut,
  EPIPE: cut,
  UND_ERR_SOCKET: cut,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: cut,
  HPE_INVALID_EOF_STATE: cut,
  HPE_INVALID_CONSTANT: {
    code: 'invalid-response',
    says: (host) => `${host} does not respond with HTTP/1.1`,
  },
  UND_ERR_HEADERS_OVERFLOW: {
    code: 'too-large',
    says: (host) => `the response headers of ${host} are too large`,
  },
  UND_ERR_INVALID_ARG: {
    code: 'invalid-request',
    says: () => 'the request has a header that HTTP does not allow',
  },
  UND_ERR_NOT_SUPPORTED: {
    code: 'invalid-request',
    says: () => 'the request has a header that HTTP does not allow',
  },
};

/** Returns the failure to reach a host, in one sentence without IP addresses; WebErrors are returned unchanged. */
export function toWebError(error: unknown, host: string, connected: boolean): WebError {
  if (error instanceof WebError) return error;
  const code = codeOf(error);
  const { says, ...rest } = lookUp(code, connected);
  return new WebError(says(host), rest);
}

/** Returns the code of an error, its first inner error or its cause. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error.name === 'HTTPParserError') return parserCode(error.message);
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error.cause === undefined ? '' : codeOf(error.cause);
}

/** Returns a code by the text of undici's parser errors, which have none. */
function parserCode(message: string): string {
  if (/EOF/.test(message)) return 'HPE_INVALID_EOF_STATE';
  return /Expected HTTP/.test(message) ? 'HPE_INVALID_CONSTANT' : 'HPE_INVALID';
}

function lookUp(code: string, connected: boolean): Known {
  if (code === 'ECONNRESET' && !connected)
    return unconnected((host) => `${host} closed the connection at once`);
  const found = Object.hasOwn(known, code) ? known[code] : undefined;
  if (found !== undefined) return found;
  if (/CERT|CRL|SIGNATURE|ISSUER/.test(code))
    return certificate((host) => `the certificate of ${host} is not accepted (${code})`);
  if (/^ERR_(?:SSL|TLS)_|^EPROTO$/.test(code))
    return { code: 'tls-failed', says: (host) => `the TLS connection to ${host} failed (${code})` };
  if (code.startsWith('HPE_'))
    return { code: 'invalid-response', says: (host) => `the response of ${host} is not valid HTTP` };
  return connected ? cut : unconnected((host) => `the connection to ${host} failed`);
}

/** Returns the failure with the facts of the redirect chain; its own facts take precedence. */
export function withWay(error: WebError, way: Way): WebError {
  const known = Object.fromEntries(Object.entries(error.way).filter(([, value]) => value !== undefined));
  const { code, retryable, hint, retryAfterMs, cause } = error;
  const options: WebErrorOptions = { ...way, ...known, code, retryable, hint, retryAfterMs, cause };
  return new WebError(error.message, options);
}
