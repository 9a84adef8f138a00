export const MARKER: string;
export const WITH_BROWSER: string;
export const FULL_ONLY: readonly string[];
export const SAME_UNDER_EVERY_NODE: readonly string[];
export const UNDER_ONE_NODE: readonly string[];
export function testFiles(root: string): string[];
export function usualTests(root: string): string[];
export function longTests(root: string): string[];
export function testsOfEveryNode(root: string): string[];
