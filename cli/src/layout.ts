/** Control characters, line ends of Unicode, and what turns the direction of writing. */
const ACTIVE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Text of others, harmless to a terminal: nothing in it moves the cursor or reorders what is read. */
export function plain(text: string): string {
  return text.replaceAll(ACTIVE, '\u{FFFD}');
}

/** As JSON in one line, harmless to a terminal too: what `JSON.stringify` leaves as it is stands escaped. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    ACTIVE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
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
