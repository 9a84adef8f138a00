import type { Examination, Finding } from './examine.ts';

const words = { pass: 'pass', fail: 'FAIL', warn: 'warn', unseen: 'n/o ' } as const;

/** Returns the results, a requirement per line with its link; `quiet` leaves out those that are not violated. */
export function renderExaminations(
  examinations: readonly Examination[],
  quiet: boolean,
  show: (text: string) => string,
): string {
  const isReported = ({ state }: Finding): boolean => !quiet || state === 'fail' || state === 'warn';
  return examinations
    .map(({ findings }) => findings.filter(isReported))
    .filter((findings) => findings.length > 0)
    .map((findings) => `${findings.map((one) => lineOf(one, show)).join('')}\n`)
    .join('');
}

function lineOf({ state, id, level, text, link, why }: Finding, show: (text: string) => string): string {
  const line = `${words[state]}  ${id} ${level} ${link}\n`;
  if (state === 'pass') return line;
  if (state === 'unseen') return `${line}      ${show(why ?? '')}\n`;
  return `${line}      ${text}\n      ${show(why ?? '')}\n`;
}

/** Returns one line per revision with the numbers of results. */
export function summarise(examinations: readonly Examination[]): string {
  return examinations
    .map(({ revision, findings }) => {
      const count = (state: Finding['state']): number => findings.filter((one) => one.state === state).length;
      return `${revision}: ${count('pass')} pass, ${count('fail')} fail, ${count('warn')} warn, ${count('unseen')} not observable\n`;
    })
    .join('');
}
