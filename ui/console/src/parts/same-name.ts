/** Whether somebody typed a name as it is seen: with single spaces, and none at its ends, whatever it was written with. */
export function isSameName(typed: string, name: string): boolean {
  return asSeen(typed) === asSeen(name);
}

function asSeen(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}
