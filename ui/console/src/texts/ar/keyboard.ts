import type { keyboard as english } from '../en/keyboard.ts';
import type { Translation } from '../format.ts';

export const keyboard: Translation<typeof english> = {
  palette: 'الانتقال إلى …',
  paletteHint: 'شاشة أو إجراء أو معرّف أو عنوان',
  paletteNothing: 'لا شيء بهذا الاسم.',
  keyboard: 'لوحة المفاتيح',
  keySearch: 'بحث',
  keyCreate: 'إنشاء',
  keyRows: 'الصف التالي والسابق',
  keyPick: 'تحديد الصف أو إلغاء تحديده',
  lettersOn: 'الحروف المفردة اختصارات',
};
