/** Returns whether a tool can be called; texts of prompts name no others. */
export type Offers = (tool: string) => boolean;
