/** Text of others, harmless to a terminal: no control characters. */
export function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\u{FFFD}');
}

/** Rows as columns that line up; the last one is left as wide as it is. */
export function columns(rows: readonly (readonly string[])[], gap = 2): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
    }
  }
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - widthOf(cell) + gap))
        .join('')
        .trimEnd(),
    )
    .join('\n');
}

/** In characters, not in the units that strings count. */
function widthOf(text: string): number {
  return Array.from(text).length;
}

/** Every line moved to the right. */
export function indented(text: string, by = 2): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(by));
}
