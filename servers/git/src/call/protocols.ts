/** The protocols; any other is a program that git would start. */
export const protocols = ['https', 'ssh', 'http', 'git', 'file'] as const;
export type Protocol = (typeof protocols)[number];

/** The protocols that are permitted by default: encrypted, and with a host that proves its identity. */
export const usualProtocols: readonly Protocol[] = ['https', 'ssh'];

export function isProtocol(text: string): text is Protocol {
  return (protocols as readonly string[]).includes(text);
}

/** Returns the protocol that git would use for an address; undefined for one that it would pass to another program. */
export function protocolOf(address: string): Protocol | undefined {
  if (/^[a-z\d][a-z\d+.-]*::/i.test(address)) return undefined;
  const scheme = /^([a-z\d+.-]+):\/\//i.exec(address)?.[1];
  if (scheme !== undefined) return isProtocol(scheme) ? scheme : undefined;
  // a colon before any slash is the short form of ssh, unless it follows the letter of a drive
  const colon = /^[^/]*:/.test(address);
  return colon && !(process.platform === 'win32' && /^[a-z]:/i.test(address)) ? 'ssh' : 'file';
}
