import { createHash } from 'node:crypto';
import type { Client } from '@rootbound/protocol/client';
import { type Scenario, withClient } from './run.ts';

interface SkillFile {
  uri: string;
  digest: string;
  size: number;
}

/** A skill as a server lists it. */
interface Skill {
  uri: string;
  frontmatter: Record<string, unknown>;
  resources: SkillFile[];
}

/** Lists the skills without loading their files. */
export const listSkills: Scenario = (run) => withClient(run, async (client) => void (await skillsOf(client)));

/** Loads every skill; stops at a file that differs from its listing. */
export const loadSkills: Scenario = (run) =>
  withClient(run, async (client) => {
    for (const skill of await skillsOf(client)) await loadSkill(client, skill);
  });

async function skillsOf(client: Client): Promise<Skill[]> {
  const { skills } = await client.request('skills/list', {});
  return skills as Skill[]; // the suite writes them
}

async function loadSkill(client: Client, { uri, frontmatter, resources }: Skill): Promise<void> {
  const own = resources.filter((file) => file.uri === uri);
  const others = resources.filter((file) => file.uri !== uri);
  for (const file of [...own, ...others]) {
    const text = await readText(client, file.uri);
    const problem = misfit(file, text) ?? (file.uri === uri ? contradiction(frontmatter, text) : undefined);
    if (problem === undefined) continue;
    process.stderr.write(`${uri} is not loaded: ${problem}\n`);
    return;
  }
}

async function readText(client: Client, uri: string): Promise<string> {
  const { contents } = await client.readResource(uri);
  return contents.map((content) => ('text' in content ? content.text : '')).join('');
}

function misfit({ uri, digest, size }: SkillFile, text: string): string | undefined {
  if (Buffer.byteLength(text) !== size) return `${uri} does not have ${size} bytes`;
  const found = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  return found === digest ? undefined : `${uri} does not have the digest ${digest}`;
}

/** Returns the first header of a file that differs from its listing; headers are plain `name: value` lines here. */
function contradiction(listed: Record<string, unknown>, text: string): string | undefined {
  const head = /^---\n(?<lines>[\s\S]*?)\n---\n/.exec(text)?.groups?.lines;
  const written = Object.fromEntries((head ?? '').split('\n').map((line) => line.split(/:\s+/, 2)));
  const names = new Set([...Object.keys(listed), ...Object.keys(written)]);
  const different = [...names].find((name) => written[name] !== listed[name]);
  return different === undefined ? undefined : `its ${different} differs from the listing`;
}
