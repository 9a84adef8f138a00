import { counted } from '@rootbound/kit/budget';

/** Receives how much was read, and the total where it is known. */
export type Tell = (done: number, total?: number) => void;

interface Call {
  readonly wantsProgress: boolean;
  readonly progress: (progress: number, total?: number, message?: string) => void;
}

/** Reports how much was read; undefined where the client wants no progress. */
export function tellOf(call: Call, one: string, many: string): Tell | undefined {
  if (!call.wantsProgress) return undefined;
  const { progress } = call;
  return (done, total) => progress(done, total, counted(done, one, many));
}
