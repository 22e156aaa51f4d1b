/** Returns a question with the closest candidates, after a space, or '' if none is close. */
export function didYouMean(typed: string, candidates: readonly string[]): string {
  const close = closest(typed, candidates).map((candidate) => JSON.stringify(candidate));
  return close.length === 0 ? '' : ` Did you mean ${close.join(' or ')}?`;
}

/** Returns the candidates with the smallest edit distance, within the limit. */
function closest(typed: string, candidates: readonly string[]): string[] {
  let fewest = editsAllowedIn(typed);
  let found: string[] = [];
  for (const candidate of new Set(candidates)) {
    // Bounds the running time, because the input can have any length.
    if (Math.abs(candidate.length - typed.length) > fewest) continue;
    const edits = countEdits(typed, candidate);
    if (edits < fewest) found = [];
    if (edits <= fewest) found.push(candidate);
    fewest = Math.min(fewest, edits);
  }
  return found;
}

/** Returns the edit limit, which is lower for short words. Leading dashes do not count. */
function editsAllowedIn(typed: string): number {
  const { length } = typed.replace(/^-+/, '');
  if (length < 3) return 0;
  return length < 6 ? 1 : 2;
}

/** The optimal string alignment distance: insertions, deletions, substitutions, transpositions. */
function countEdits(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
