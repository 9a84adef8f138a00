/** @typedef {{ type: 'string' | 'number' | 'boolean', description: string, optional?: true }} Field */

/**
 * A tool description that every server program converts to its own form: `add` is called, the others make the list as
 * long as that of a real server.
 * @typedef {object} ToolWords
 * @property {string} name
 * @property {string} title
 * @property {string} description
 * @property {Record<string, Field>} input
 * @property {Record<string, Field>} output
 */

const nouns = ['note', 'task', 'event', 'contact', 'folder', 'report'];

/** @type {Field} */
const id = { type: 'string', description: 'The identifier that a list or a search returned.' };
/** @type {Field} */
const text = { type: 'string', description: 'Plain text, at most 10,000 characters.' };

/** @type {readonly ToolWords[]} */
export const tools = [
  {
    name: 'add',
    title: 'Add two numbers',
    description: 'Adds two numbers and answers with their sum.',
    input: {
      a: { type: 'number', description: 'The first number.' },
      b: { type: 'number', description: 'The second number.' },
    },
    output: { sum: { type: 'number', description: 'The sum of both.' } },
  },
  {
    name: 'find',
    title: 'Find anything',
    description: 'Finds what holds a text, whatever it is, newest first. Answers with identifiers.',
    input: {
      query: { type: 'string', description: 'The text, without regard to case.' },
      limit: { type: 'number', description: 'Most results; 20 unless told.', optional: true },
    },
    output: { ids: { type: 'string', description: 'Identifiers, one a line.' } },
  },
  ...nouns.flatMap((noun) => [
    {
      name: `read_${noun}`,
      title: `Read a ${noun}`,
      description: `Reads one ${noun} with everything that belongs to it. Ask for a list first when the identifier is not known.`,
      input: {
        id,
        full: /** @type {Field} */ ({ type: 'boolean', description: 'Also its history.', optional: true }),
      },
      output: { text, changed: /** @type {Field} */ ({ type: 'string', description: 'When, as ISO 8601.' }) },
    },
    {
      name: `write_${noun}`,
      title: `Write a ${noun}`,
      description: `Writes one ${noun}, in the place of what was there. Fails when somebody else changed the ${noun} meanwhile.`,
      input: {
        id,
        text,
        etag: /** @type {Field} */ ({
          type: 'string',
          description: 'What it had when it was read.',
          optional: true,
        }),
      },
      output: { etag: /** @type {Field} */ ({ type: 'string', description: 'What it has now.' }) },
    },
  ]),
];

/** Returns the result of a tool call. */
export function run(/** @type {string} */ name, /** @type {Record<string, unknown>} */ args) {
  return name === 'add' ? { sum: Number(args.a) + Number(args.b) } : { text: 'none' };
}

/**
 * Returns the zod shape of the fields of a tool.
 * @param {typeof import('zod')} z
 * @param {Record<string, Field>} fields
 */
export function shapeOf(z, fields) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { type, description, optional }]) => {
      const field = z[type]().describe(description);
      return [name, optional ? field.optional() : field];
    }),
  );
}

/**
 * Returns the JSON Schema of the fields of a tool.
 * @param {Record<string, Field>} fields
 */
export function schemaOf(fields) {
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, { type, description }]) => [name, { type, description }]),
    ),
    required: Object.keys(fields).filter((name) => !fields[name]?.optional),
    additionalProperties: false,
  };
}
