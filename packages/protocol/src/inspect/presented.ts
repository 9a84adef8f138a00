/** Who this program says it is. */
export const presented = { name: 'inspect', version: '1.0.0' } as const;
