import manifest from '#manifest' with { type: 'json' };

/** The name and version of this client. */
export const clientInfo = { name: 'inspect', version: manifest.version } as const;
