import { AppError } from '@keywright/contract/errors';

const LINE_BREAK = 0x0a;

/** A line of a body, exactly as received. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly bytes: Buffer;
}

/**
 * Returns the lines that are not blank.
 * @throws AppError VALIDATION_FAILED when there are too many
 */
export function splitLines(bytes: Buffer, max: number): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (let number = 1; start < bytes.length; number += 1) {
    // Blank lines also count, which bounds the work of splitting.
    if (number > max) throw new AppError('VALIDATION_FAILED', { errors: [tooMany(max)] });
    const found = bytes.indexOf(LINE_BREAK, start);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(start, end);
    if (!isBlank(line)) lines.push({ number, bytes: line });
    start = end + 1;
  }
  return lines;
}

function tooMany(max: number) {
  return { path: '', message: `must not have more than ${max} lines` };
}

/** Whether a line contains only spaces, tabs and carriage returns, which JSON allows between values (RFC 8259 §2). */
function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
