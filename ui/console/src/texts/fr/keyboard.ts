import type { keyboard as english } from '../en/keyboard.ts';
import type { Translation } from '../format.ts';

export const keyboard: Translation<typeof english> = {
  palette: 'Aller à …',
  paletteHint: 'Un écran, une action, un identifiant ou une adresse',
  paletteNothing: 'Rien ne porte ce nom.',
  keyboard: 'Clavier',
  keySearch: 'Rechercher',
  keyCreate: 'Créer',
  keyRows: 'Ligne suivante et précédente',
  keyPick: 'Sélectionner la ligne, ou non',
  lettersOn: 'Les lettres seules sont des raccourcis',
};
