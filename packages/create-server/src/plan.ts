import { basename, dirname, resolve } from 'node:path';
import { nameProblem, suggestName } from './names.ts';
import { assertDescription, assertName, type Options, toTransport } from './options.ts';
import { Problem } from './problem.ts';
import { isInRepository } from './programs.ts';
import { assertFree } from './project.ts';
import { type Person, type Question, yesOrNo } from './questions.ts';
import type { Wish } from './template.ts';

/** The decisions about a new project. */
export interface Plan extends Wish {
  /** absolute path */
  readonly folder: string;
  readonly git: boolean;
  readonly install: boolean;
}

/** Decides what the command line left open: asks the person, or takes the defaults where there is none. */
export async function planOf(options: Options, cwd: string, person: Person | undefined): Promise<Plan> {
  const settle = async <T>(given: T | undefined, question: Question<T>): Promise<T> =>
    given ?? (await person?.ask(question)) ?? question.read(question.usual);
  const folder = await settle(options.folder === undefined ? undefined : placeOf(options.folder, cwd), {
    text: 'Folder',
    usual: person === undefined ? '' : 'my-server',
    read: (answer) => placeOf(answer, cwd),
  });
  const name = await settle(options.name, nameQuestion(folder, person !== undefined));
  const description = await settle<string | undefined>(options.description, {
    text: 'Its purpose',
    usual: '',
    read: (answer) => {
      if (answer === '') return undefined;
      assertDescription(answer);
      return answer;
    },
  });
  const transport = await settle(options.from === undefined ? options.transport : 'stdio', {
    text: 'Clients reach it by stdio or http',
    usual: 'stdio',
    read: toTransport,
  });
  const git = await settle(options.git, {
    text: 'Make a git repository',
    usual: (await isInRepository(dirname(folder))) ? 'no' : 'yes',
    read: yesOrNo,
  });
  const install = await settle(options.install, { text: 'Run npm install', usual: 'yes', read: yesOrNo });
  return { folder, name, description, transport, git, install };
}

function placeOf(answer: string, cwd: string): string {
  if (answer === '') throw new Problem('name the folder to make, such as my-server');
  const folder = resolve(cwd, answer);
  assertFree(folder);
  return folder;
}

/** Suggests a valid name to a person; never takes one that was not confirmed. */
function nameQuestion(folder: string, person: boolean): Question<string> {
  const own = basename(folder);
  const fitting = nameProblem(own) === undefined ? own : suggestName(own);
  return {
    text: 'Name of the npm package',
    usual: person ? fitting : own,
    read: (answer) => {
      assertName(answer, person ? 'choose another' : `choose one, such as --name ${fitting}`);
      return answer;
    },
  };
}
