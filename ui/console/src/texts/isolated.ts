/** Prevents text written by a user from reordering other text (Unicode UAX #9 §2.5). */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
