/** Control characters, Unicode line separators and bidirectional controls. */
const ACTIVE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Makes untrusted text safe for a terminal, so that it cannot move the cursor or reorder the display. */
export function plain(text: string): string {
  return text.replaceAll(ACTIVE, '\u{FFFD}');
}

/**
 * Returns JSON on one line, with the characters escaped that are unsafe in a terminal and that `JSON.stringify`
 * leaves.
 */
export function plainJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    ACTIVE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Aligns rows in columns without padding the last column. */
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

/** Returns the length in code points, not UTF-16 code units. */
function widthOf(text: string): number {
  return Array.from(text).length;
}

/** Indents every non-empty line. */
export function indented(text: string, by = 2): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(by));
}
