import type { Agent, Setting } from './agents.ts';
import { Confinement, type Ending } from './confinement.ts';
import { listenAt, Model, type Turn } from './model.ts';
import { makeSite, type Project, type ServerName, servers, type Task } from './project.ts';

export interface Conversation {
  readonly tasks: Readonly<Record<ServerName, Task>>;
  /** the model's requests, turn by turn */
  readonly turns: readonly Turn[];
  readonly ending: Ending;
  /** facts about the agent's network */
  readonly interfaces: readonly string[];
}

/** Runs an agent, configured by `--print-config`, with a model that calls one tool of each server. */
export async function converse(agent: Agent, project: Project): Promise<Conversation> {
  const confinement = new Confinement();
  const site = makeSite();
  let model: Model | undefined;
  try {
    const ports = await confinement.open();
    const address = await listenAt(site, ports.site);
    const tasks = project.tasks(address);
    model = new Model(agent.wire, Object.values(tasks));
    const setting: Setting = {
      project: project.project,
      home: project.home(agent.client),
      model: await model.listen(ports.model),
      printed: printAll(project, agent, address),
    };
    agent.configure(setting);
    const env = {
      HOME: setting.home,
      PATH: process.env.PATH!,
      TMPDIR: project.home('tmp'),
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      ...agent.env(setting),
    };
    const ending = await confinement.run({ command: agent.command(setting), cwd: setting.project, env });
    return { tasks, turns: model.turns, ending, interfaces: confinement.interfaces };
  } finally {
    confinement.end();
    model?.close();
    site.close();
    site.closeAllConnections();
  }
}

function printAll(project: Project, { client }: Agent, site: string): Record<ServerName, string> {
  const printed = servers.map((server) => [server, project.printConfig(server, client, site)]);
  // one entry for each name
  return Object.fromEntries(printed) as Record<ServerName, string>;
}
