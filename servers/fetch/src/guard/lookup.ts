import type { LookupAddress } from 'node:dns';
import { isIPv6, type LookupFunction } from 'node:net';

/** Checks a name and returns the check of its addresses; both throw to refuse. */
export type JudgeName = (hostname: string) => (answers: readonly LookupAddress[]) => void;

/** Returns a `lookup` that yields all addresses of a name, or an error if one of them is refused. */
export function guardLookup(resolve: LookupFunction, judgeName: JudgeName): LookupFunction {
  return (hostname, options, callback) => {
    const fail = (error: unknown) => callback(toError(error), options.all === true ? [] : '');
    let judgeAnswers: ReturnType<JudgeName>;
    try {
      judgeAnswers = judgeName(hostname);
    } catch (error) {
      process.nextTick(fail, error);
      return;
    }
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) {
        fail(error);
        return;
      }
      const answers = toAnswers(found);
      try {
        judgeAnswers(answers);
      } catch (refusal) {
        fail(refusal);
        return;
      }
      if (options.all === true) callback(null, answers);
      else callback(null, answers[0]!.address, answers[0]!.family);
    });
  };
}

function toAnswers(found: string | readonly LookupAddress[]): LookupAddress[] {
  const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address);
  return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('the name was not resolved', { cause: error });
}
