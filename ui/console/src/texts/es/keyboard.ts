import type { keyboard as english } from '../en/keyboard.ts';
import type { Translation } from '../format.ts';

export const keyboard: Translation<typeof english> = {
  palette: 'Ir a …',
  paletteHint: 'Una pantalla, una acción, un id o una dirección',
  paletteNothing: 'Nada se llama así.',
  keyboard: 'Teclado',
  keySearch: 'Buscar',
  keyCreate: 'Crear',
  keyRows: 'Fila siguiente y anterior',
  keyPick: 'Seleccionar la fila, o dejar de hacerlo',
  lettersOn: 'Las letras sueltas son atajos',
};
