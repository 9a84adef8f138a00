import { showName } from '@rootbound/kit/boundary';
import * as z from 'zod';
import type { Taken } from '../lane/copies/undo-copy.ts';
import type { UndoPoint } from './points.ts';

/** The copy from before a change, as members of an output schema. */
export const undoOutput = {
  undo: z.object({ point: z.string(), bytes: z.int(), expires: z.string() }).optional(),
  no_undo: z.string().optional(),
};

const told = z.object(undoOutput);
export type UndoTold = z.output<typeof told>;

const EXPIRES = 'with the server, or when newer copies need the room';

export function undoTold(undo: UndoPoint | undefined, copy: Taken | undefined): UndoTold {
  return {
    ...(undo !== undefined && { undo: { point: undo.point, bytes: undo.bytes, expires: EXPIRES } }),
    ...(copy !== undefined && 'none' in copy && { no_undo: copy.none }),
  };
}

export function undoLines({ undo, no_undo: none }: UndoTold): string[] {
  return [
    ...(undo === undefined
      ? []
      : [
          `undo: restore_database {"undo_point":"${undo.point}"}; kept until the server ends or newer copies need the room`,
        ]),
    ...(none === undefined ? [] : [`no undo point: ${showName(none)}`]),
  ];
}
