import { WebError } from '../../src/failure.ts';

/** What a judgement comes to: `allowed`, or the code of the refusal. */
export function verdict(judge: () => void): string {
  try {
    judge();
    return 'allowed';
  } catch (error) {
    return codeOf(error);
  }
}

/** The code of a refusal; what is none is thrown. */
export function codeOf(error: unknown): string {
  if (error instanceof WebError) return error.code;
  throw error;
}

/** The refusal that a judgement throws, as one line for people and its hint. */
export function refusal(judge: () => void): { code: string; message: string; hint: string | undefined } {
  try {
    judge();
  } catch (error) {
    if (error instanceof WebError) return { code: error.code, message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error('nothing was refused');
}
