import { basename } from 'node:path';
import { root } from '../setup.mjs';
import { callTool, factsOf, milliseconds, number, textOf } from './answers.mjs';
import { showChange } from './change.mjs';
import { showProgress } from './progress.mjs';
import { outside } from './stage.mjs';

/**
 * @typedef {object} Setting the values of a scene
 * @property {import('@rootbound/protocol/client').Client} client
 * @property {import('./stage.mjs').Stage} stage
 * @property {import('./screen.mjs').Screen} screen
 * @property {number} connectedIn milliseconds from the start of the process to the agreement
 */

/** The scenes of each era, in order. @type {readonly ((setting: Setting) => Promise<void>)[]} */
export const scenes = [
  showServer,
  showTools,
  showStructure,
  showText,
  showSearch,
  showProgress,
  showChange,
  showRefusal,
  showResources,
  showPrompt,
];

/** @param {Setting} setting */
async function showServer({ client, screen, connectedIn }) {
  const { name, version } = client.serverInfo ?? { name: 'a server without a name', version: '' };
  screen.row('connected', `${name} ${version}, revision ${client.revision}, in ${milliseconds(connectedIn)}`);
}

/** @param {Setting} setting */
async function showTools({ client, screen }) {
  const tools = await client.listTools();
  screen.row(`${tools.length} tools`, tools.map(({ name }) => name).join(', '));
}

/** @param {Setting} setting */
async function showStructure({ client, screen }) {
  const wanted = { path: root, sort: 'size', limit: 3 };
  const { structuredContent: page } = await callTool(client, 'list_directory', wanted);
  const counts = `${page.entries.length} of ${page.total} entries, the largest first`;
  screen.row('structured', `list_directory of ${basename(root)}: ${counts}`);
  for (const { name, type, size } of page.entries) screen.quote(factsOf({ name, type, size }));
}

/** @param {Setting} setting */
async function showText({ client, screen }) {
  const { structuredContent: read } = await callTool(client, 'read_text_file', {
    path: 'README.md',
    head: 3,
  });
  screen.row('text', `read_text_file of README.md, lines 1-${read.endLine} of ${read.totalLines}`);
  screen.quote(String(read.text).trimEnd());
}

/** @param {Setting} setting */
async function showSearch({ client, screen }) {
  const started = performance.now();
  const wanted = { path: root, pattern: 'connect(', include: ['*.mjs'], output: 'files' };
  const { structuredContent: found } = await callTool(client, 'search_content', wanted);
  const took = milliseconds(performance.now() - started);
  const counts = `in ${number(found.files.length)} of ${number(found.searched)} files`;
  screen.row('search', `search_content of ${wanted.pattern} in *.mjs: ${counts}, ${took}`);
}

/** @param {Setting} setting */
async function showRefusal({ client, stage, screen }) {
  const words = await refusal(client, outside);
  screen.row('refusal', `read_text_file of ${outside}`);
  screen.quote(words, 'yellow');
  if (stage.link === undefined) return;
  const same = (await refusal(client, stage.link)).replace(stage.link, outside) === words;
  screen.row(
    '',
    `${basename(stage.link)}, a link to it inside a root: ${same ? 'the same answer' : 'refused too'}`,
  );
}

/** Returns the refusal to read a file. @param {Setting['client']} client @param {string} path */
async function refusal(client, path) {
  const result = await client.callTool('read_text_file', { path });
  if (result.isError !== true) throw new Error(`the server read ${path}, which is outside its roots`);
  return textOf(result.content);
}

/** @param {Setting} setting */
async function showResources({ client, screen }) {
  const listed = await client.listResources();
  const templates = await client.listResourceTemplates();
  const { contents } = await client.readResource(listed[0].uri);
  const entries = textOf(contents).split('\n').length;
  screen.row(
    'resources',
    `${listed.length} listed, and ${templates.map(({ uriTemplate }) => uriTemplate).join(', ')}; ` +
      `${listed[0].name} has ${number(entries)} entries`,
  );
}

/** @param {Setting} setting */
async function showPrompt({ client, screen }) {
  const [prompt] = await client.listPrompts();
  const { messages } = await client.getPrompt(prompt.name, { path: root });
  screen.row('prompt', `${prompt.name}: ${prompt.description}`);
  screen.quote(textOf(messages.map(({ content }) => content)).split('\n', 1)[0]);
}
