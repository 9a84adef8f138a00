/** One row of EXPLAIN. Source: https://sqlite.org/opcode.html */
export type Instruction = readonly [
  address: number,
  opcode: string,
  p1: number,
  p2: number,
  p3: number,
  p4: string | number | null,
  p5: number,
  comment: string | null,
];
