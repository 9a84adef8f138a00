import { type Host, parseHost } from './hosts.ts';
import { badPorts } from './ports.ts';

/** Hosts that may be reached at private addresses: `host` on all allowed ports, `host port` on that port. */
export type PrivateHosts = ReadonlySet<string>;

/** Parses the operator's list of hosts: `localhost:3000`, `10.0.0.5`, `[::1]:8080`. Throws for an invalid one. */
export function parsePrivateHosts(entries: readonly string[], flag: string): PrivateHosts {
  return new Set(entries.map((entry) => parseEntry(entry, flag)));
}

/** Returns whether the list has a host, without a port or with this one. */
export function listsHost(hosts: PrivateHosts, host: Host, port: number | undefined): boolean {
  return hosts.size > 0 && (hosts.has(host.text) || listsPort(hosts, host, port));
}

/** Returns whether the list has a host with this port. */
export function listsPort(hosts: PrivateHosts, host: Host, port: number | undefined): boolean {
  return hosts.size > 0 && port !== undefined && hosts.has(key(host, port));
}

function parseEntry(entry: string, flag: string): string {
  const bare = parseHost(entry);
  if (bare !== undefined && !/[*%]/.test(entry)) return bare.text;
  const [, name, digits] = /^(\[[^\]]*\]|[^:*%]*):(\d{1,5})$/.exec(entry) ?? [];
  const host = name === undefined ? undefined : parseHost(name);
  const port = Number(digits);
  if (host === undefined || port < 1 || port > 65_535)
    throw new TypeError(
      `${flag} ${JSON.stringify(entry)} is not a host; write localhost, localhost:3000 or [::1]:8080`,
    );
  if (badPorts.has(port))
    throw new TypeError(
      `${flag} ${JSON.stringify(entry)}: port ${port} is blocked, because it belongs to another service`,
    );
  return key(host, port);
}

function key(host: Host, port: number): string {
  return `${host.text} ${port}`;
}
