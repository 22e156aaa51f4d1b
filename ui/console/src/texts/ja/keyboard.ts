import type { keyboard as english } from '../en/keyboard.ts';
import type { Translation } from '../format.ts';

export const keyboard: Translation<typeof english> = {
  palette: '移動 …',
  paletteHint: '画面、操作、ID、アドレス',
  paletteNothing: '一致するものはありません。',
  keyboard: 'キーボード',
  keySearch: '検索',
  keyCreate: '作成',
  keyRows: '次の行と前の行',
  keyPick: '行を選択、または選択を解除',
  lettersOn: '1文字のショートカットを使う',
};
