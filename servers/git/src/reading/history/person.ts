import { defined } from '@rootbound/kit/primitives';
import * as z from 'zod';
import type { Ident } from '../../repository/headers.ts';

/** An author or committer, and the time, as results give them. */
export const person = z.object({
  name: z.string(),
  email: z.string(),
  date: z.string().optional().describe('ISO 8601, in the zone of the person'),
});

export type Person = z.output<typeof person>;

/** Characters at most; longer names are cut. */
const MOST_CHARACTERS = 200;

/** Returns a name and a date as results give them. */
export function toPerson({ name, email, time, zone }: Ident): Person {
  const date = isoDate(time, zone);
  return { name: clipped(name), email: clipped(email), ...defined({ date }) };
}

function clipped(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1).toWellFormed()}…`;
}

/** The last second whose year has four digits. */
const LAST = 253_402_300_799;
const MINUTES_OF_A_DAY = 1440;

/** Returns a time in its zone, such as 2026-01-01T02:00:00+02:00; undefined for a time or zone out of range. */
export function isoDate(time: number | undefined, zone: string | undefined): string | undefined {
  if (time === undefined || time < 0 || time > LAST) return undefined;
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(zone ?? '') ?? [];
  const shift = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1);
  const inZone = sign !== undefined && Math.abs(shift) < MINUTES_OF_A_DAY;
  if (!inZone) return `${new Date(time * 1000).toISOString().slice(0, 19)}Z`;
  return `${new Date((time + shift * 60) * 1000).toISOString().slice(0, 19)}${sign}${hours}:${minutes}`;
}

export function nameAndEmail({ name, email }: Person): string {
  return `${name} <${email}>`;
}
