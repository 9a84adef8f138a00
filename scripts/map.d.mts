export function drawMap(root: string): string;
