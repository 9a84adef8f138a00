/** @typedef {import('@rootbound/protocol/client').Client} Client */

/**
 * Calls a tool and returns its result; throws if it fails.
 * @param {Client} client
 * @param {string} name
 * @param {Record<string, unknown>} args
 * @param {import('@rootbound/protocol/client').RequestOptions} [options]
 */
export async function callTool(client, name, args, options) {
  const result = await client.callTool(name, args, options);
  if (result.isError === true) throw new Error(`${name} failed: ${textOf(result.content)}`);
  return {
    ...result,
    structuredContent: /** @type {Record<string, any>} */ (result.structuredContent ?? {}),
  };
}

/** Joins the text of content blocks. @param {readonly object[]} blocks */
export function textOf(blocks) {
  return blocks.flatMap((block) => ('text' in block ? [block.text] : [])).join('\n');
}

/** Renders fields with their values. @param {Record<string, unknown>} fields */
export function factsOf(fields) {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return present.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join('  ');
}

/** @param {number} duration */
export function milliseconds(duration) {
  return `${duration < 10 ? duration.toFixed(1) : Math.round(duration)} ms`;
}

const english = new Intl.NumberFormat('en');

/** @param {number} value */
export function number(value) {
  return english.format(value);
}
