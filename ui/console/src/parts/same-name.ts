/** Whether the user typed a name as it is displayed: with single spaces, and none at the ends, whatever it contains. */
export function isSameName(typed: string, name: string): boolean {
  return asSeen(typed) === asSeen(name);
}

function asSeen(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}
