import { showName } from '@rootbound/kit/boundary';
import * as z from 'zod';
import type { UndoCopy } from '../lane/copies/undo-copy.ts';
import type { UndoPoint } from './points.ts';

/** The undo copy as members of an output schema. */
export const undoOutput = {
  undo: z.object({ point: z.string(), bytes: z.int(), expires: z.string() }).optional(),
  no_undo: z.string().optional(),
};

const undoObject = z.object(undoOutput);
export type UndoFields = z.output<typeof undoObject>;

const EXPIRES = 'when the server ends or newer copies need the space';

export function undoFields(undo: UndoPoint | undefined, copy: UndoCopy | undefined): UndoFields {
  return {
    ...(undo !== undefined && { undo: { point: undo.point, bytes: undo.bytes, expires: EXPIRES } }),
    ...(copy !== undefined && 'none' in copy && { no_undo: copy.none }),
  };
}

export function undoLines({ undo, no_undo: none }: UndoFields): string[] {
  return [
    ...(undo === undefined
      ? []
      : [
          `undo: restore_database {"undo_point":"${undo.point}"}; stored until the server ends or newer copies need the space`,
        ]),
    ...(none === undefined ? [] : [`no undo point: ${showName(none)}`]),
  ];
}
