import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** What is said to the next on the way alone. */
const hopByHop = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authentication-info', 'proxy-authorization'],
  ...['proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

/** The fields of a message that a proxy passes on. */
export function forwardable(fields: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = (fields.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => !hopByHop.has(name) && !named.includes(name)),
  );
}
