/** How long a call may take that goes through a whole file or database, unless it says otherwise: it tells how far it is. */
export const WHOLE_MS = 600_000;
