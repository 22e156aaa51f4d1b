import { type Found, recordOf, requireBounded, type Reader } from './source.ts';

/** Reads one JSON object per line. */
export function createLineReader(): Reader {
  let rest = '';
  let at = 0;
  const read = (line: string): Found[] => {
    at += 1;
    return line.trim() === '' ? [] : [{ at, record: recordOf(line) }];
  };
  return {
    push(piece) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      requireBounded(rest);
      return lines.flatMap(read);
    },
    end: () => read(rest),
  };
}
