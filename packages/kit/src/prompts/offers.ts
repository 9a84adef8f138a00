/** Whether a tool can be called; words of prompts name no others. */
export type Offers = (tool: string) => boolean;
