import manifest from '#manifest' with { type: 'json' };

/** Who this program says it is: itself, in the version of its package. */
export const presented = { name: 'inspect', version: manifest.version } as const;
