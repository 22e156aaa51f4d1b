import type { Message } from '../format.ts';

export const keyboard = {
  palette: 'Go to …',
  paletteHint: 'A screen, an action, an id or an address',
  paletteNothing: 'Nothing is called that.',
  keyboard: 'Keyboard',
  keySearch: 'Search',
  keyCreate: 'Create',
  keyRows: 'Next and previous row',
  keyPick: 'Select the row, or no longer',
  lettersOn: 'Single letters are shortcuts',
} as const satisfies Readonly<Record<string, Message>>;
