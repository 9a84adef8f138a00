import { counted } from '@rootbound/kit/budget';

/** Takes how much was read by now, and of how much where that is known. */
export type Tell = (done: number, total?: number) => void;

interface Call {
  readonly wantsProgress: boolean;
  readonly progress: (progress: number, total?: number, message?: string) => void;
}

/** Tells the client how much was read; undefined where it does not want to know. */
export function tellOf(call: Call, one: string, many: string): Tell | undefined {
  if (!call.wantsProgress) return undefined;
  const { progress } = call;
  return (done, total) => progress(done, total, counted(done, one, many));
}
