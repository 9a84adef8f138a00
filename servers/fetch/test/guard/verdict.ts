import { WebError } from '../../src/failure.ts';

/** Returns the verdict of a check: `allowed`, or the code of the refusal. */
export function verdict(judge: () => void): string {
  try {
    judge();
    return 'allowed';
  } catch (error) {
    return codeOf(error);
  }
}

/** Returns the code of a refusal; throws other errors. */
export function codeOf(error: unknown): string {
  if (error instanceof WebError) return error.code;
  throw error;
}

/** Returns the refusal that a check throws, as one line with its hint. */
export function refusal(judge: () => void): { code: string; message: string; hint: string | undefined } {
  try {
    judge();
  } catch (error) {
    if (error instanceof WebError) return { code: error.code, message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error('nothing was refused');
}
