import type { keyboard as english } from '../en/keyboard.ts';
import type { Translation } from '../format.ts';

export const keyboard: Translation<typeof english> = {
  palette: 'Gehe zu …',
  paletteHint: 'Eine Seite, eine Aktion, eine ID oder eine Adresse',
  paletteNothing: 'Nichts heißt so.',
  keyboard: 'Tastatur',
  keySearch: 'Suchen',
  keyCreate: 'Anlegen',
  keyRows: 'Nächste und vorige Zeile',
  keyPick: 'Zeile auswählen oder abwählen',
  lettersOn: 'Einzelne Buchstaben sind Tastenkürzel',
};
