import { isObject } from '../../jsonrpc/message.ts';
import { holds } from './finding.ts';
import type { Rules } from './rules.ts';
import { END_GRACE_MS, type Scene } from './scene.ts';
import { StdioWire } from './stdio-wire.ts';

function linesOf({ talks }: Scene): unknown[] {
  return talks
    .flatMap(({ texts }) => texts)
    .map((text) => {
      try {
        return JSON.parse(text) as unknown; // not any
      } catch {
        // a line that is not JSON is reported as it is
        return text;
      }
    });
}

/** The rules for standard streams; all but the last, which ends a process, check every line. */
export const stdioRules: Rules = {
  'transport-stdio/server-stdout-carries-only-mcp': (scene) => {
    const wrong = linesOf(scene).find(
      (line) => !Array.isArray(line) && !(isObject(line) && line.jsonrpc === '2.0'),
    );
    holds(wrong === undefined, `stdout has the line ${JSON.stringify(wrong)?.slice(0, 100)}`);
    const [fault] = scene.talks.flatMap(({ wire }) => (wire instanceof StdioWire ? wire.faults : []));
    holds(fault === undefined, fault ?? '');
  },
  'transport-stdio/no-embedded-newlines': (scene) => {
    const wrong = linesOf(scene).find((line) => typeof line === 'string');
    holds(wrong === undefined, `a line is not a whole message: ${JSON.stringify(wrong)?.slice(0, 100)}`);
  },
  'transport-stdio/line-is-an-individual-message': (scene) => {
    holds(!linesOf(scene).some(Array.isArray), 'a line is an array');
  },
  'transport-stdio/server-exits-when-stdin-closes': async (scene) => {
    const talk = await scene.other();
    const started = performance.now();
    await talk.close();
    const took = performance.now() - started;
    holds(took < END_GRACE_MS, `it was running ${END_GRACE_MS / 1000} s after the end of its input`);
  },
};
