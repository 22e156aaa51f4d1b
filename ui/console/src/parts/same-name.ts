/** Whether the user typed a name as it is shown: with single spaces, and none at its ends, whatever it contains. */
export function isSameName(typed: string, name: string): boolean {
  return asSeen(typed) === asSeen(name);
}

function asSeen(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}
