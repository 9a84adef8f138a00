export function liveBytes(): number;
