import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { full } from '../extent.ts';
import { root } from '../package/packages.ts';
import { agents } from './agents.ts';
import { canConfine } from './confinement.ts';
import { type Conversation, converse } from './conversation.ts';
import { installAgents, versions } from './installation.ts';
import { isNameOf, LAST_WORDS, type Wire } from './model.ts';
import { Project, servers } from './project.ts';
import { anthropic } from './wires/anthropic.ts';
import { gemini } from './wires/gemini.ts';
import { openai } from './wires/openai.ts';

const names = ['mcp__git__git_log'];
const requests: Record<string, [Wire, object]> = {
  'Anthropic messages': [
    anthropic,
    {
      tools: [{ name: names[0] }],
      messages: [
        { role: 'user', content: 'Call.' },
        { role: 'user', content: [{ type: 'tool_result', content: [{ type: 'text', text: 'found' }] }] },
      ],
    },
  ],
  'Gemini contents': [
    gemini,
    {
      tools: [{ functionDeclarations: [{ name: names[0] }] }],
      contents: [
        { parts: [{ text: 'Call.' }] },
        { parts: [{ functionResponse: { response: { output: 'found' } } }] },
      ],
    },
  ],
  'OpenAI chat': [
    openai,
    {
      tools: [{ type: 'function', function: { name: names[0] } }],
      messages: [
        { role: 'user', content: 'Call.' },
        { role: 'tool', content: 'found' },
      ],
    },
  ],
};

test.each(Object.entries(requests))('the model reads tools and results in %s', (_name, [wire, request]) => {
  expect(wire.read(request as never)).toEqual({
    offered: names,
    results: [expect.stringContaining('found')],
  });
});

test('the page of clients names the agents at the versions that are tried', () => {
  const page = readFileSync(join(root, 'docs', 'clients.md'), 'utf8');
  const tried = agents.map(({ title, package: name }) => `${title} ${versions[name]}`);
  expect(tried.filter((one) => !page.includes(one))).toEqual([]);
});

// needs a registry and downloads 630 MB
if (full) {
  describe.runIf(process.platform === 'linux' && process.arch === 'x64' && canConfine())('an agent', () => {
    let project: Project;
    beforeAll(() => {
      installAgents();
      project = new Project();
    }, 300_000);
    afterAll(() => project.remove());

    describe.each(agents)('$title', (agent) => {
      let held: Conversation;
      let results: readonly string[];
      beforeAll(async () => {
        held = await converse(agent, project);
        results = held.turns.at(-1)?.results ?? [];
      }, 150_000);

      test.each(servers)('passes the result of the %s server to its model', (server) => {
        const result = results[servers.indexOf(server)] ?? `nothing, and at the end: ${held.ending.stdout}`;
        expect(result).toContain(held.tasks[server].finds);
      });

      test.each(servers)('offers every tool of the %s server to its model', (server) => {
        const offered = held.turns[0]!.offered;
        const tools = project.toolsOf(server);
        expect(tools).toContain(held.tasks[server].tool);
        expect(tools.filter((tool) => !offered.some((name) => isNameOf({ server, tool }, name)))).toEqual([]);
      });

      test(`passes only the ${agent.shows} half of a result to its model`, () => {
        const rows = results[servers.indexOf('sqlite')] ?? '';
        expect({ structured: rows.includes('row_count'), text: rows.includes('[1 row from') }).toEqual({
          structured: agent.shows === 'structured',
          text: agent.shows === 'text',
        });
      });

      test('exits with success and prints the last text of its model', () => {
        expect(held.ending).toMatchObject({ status: 0, stdout: expect.stringContaining(LAST_WORDS) });
        for (const { finds } of Object.values(held.tasks)) expect(held.ending.stdout).toContain(finds);
      });

      test('has a network without other hosts', () => {
        expect(held.interfaces).toEqual(['lo']);
      });
    });
  });
}
