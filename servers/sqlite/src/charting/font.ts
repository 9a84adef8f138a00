/** The font of all charts: DejaVu Sans, which comes with the server; viewers that lack it take theirs. */
export const fontFamily = 'DejaVu Sans';
