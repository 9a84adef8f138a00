export { quoteArgument, readArguments } from './prompts/arguments.ts';
export { matching } from './prompts/matching.ts';
export type { Offers } from './prompts/offers.ts';
export { type Block, quoted } from './prompts/quoted.ts';
