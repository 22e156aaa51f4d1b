/** Control characters, Unicode line separators and bidirectional controls. */
const ACTIVE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Makes untrusted text safe for a terminal: it cannot move the cursor or reorder what is displayed. */
export function plain(text: string): string {
  return text.replaceAll(ACTIVE, '\u{FFFD}');
}

/** JSON in one line, safe for a terminal: escapes what `JSON.stringify` does not. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    ACTIVE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Aligns rows in columns; the last column is not padded. */
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

/** In code points, not UTF-16 code units. */
function widthOf(text: string): number {
  return Array.from(text).length;
}

/** Indents every line that is not empty. */
export function indented(text: string, by = 2): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(by));
}
