export function textOf(svg: string): string;
