import type { trust as english } from '../en/trust.ts';
import type { Translation } from '../format.ts';

export const trust: Translation<typeof english> = {
  // How an agent authenticates
  trust: 'المفاتيح والجهات المُصدِرة',
  publicKeys: 'المفاتيح العامة',
  publicKeysEmpty: 'لا شيء. بزوج مفاتيح يوقّع الوكيل ما يرسله، ويبقى سره على جهازه.',
  publicKeyRemoveTitle: 'إزالة المفتاح العام {name}؟',
  publicKeyRemoveHint: 'يُرفض فورًا ما وُقّع به، وكل رمز لدى الوكيل.',
  issuersTrusted: 'الجهات المُصدِرة الموثوقة',
  issuersEmpty: 'لا شيء. يمكن لمهمة CI أو pod المصادقة برمز لديها من قبل، بلا سر محفوظ.',
  audience: 'الجمهور',
  tokenSubject: 'الموضوع',
  claims: 'المطالبات',
  singleUse: 'كل رمز مرة واحدة',
  issuerRemoveTitle: 'إيقاف الثقة في {name}؟',
  issuerRemoveHint: 'لم تعد رموزها تصادق الوكيل، ويُرفض فورًا كل رمز لديه.',
  reach: 'النطاق المتأثر',
  // Keys
  overlap: 'مدة عمل المفتاح الحالي',
  overlapNone: 'يُبطل فورًا',
  days: {
    zero: '{count} يوم',
    one: 'يوم واحد ({count})',
    two: 'يومان ({count})',
    few: '{count} أيام',
    many: '{count} يومًا',
    other: '{count} يوم',
  },
  leak: 'الإبلاغ عن مفتاح مسرّب',
  leakHint: 'ألصق مفتاحًا عُثر عليه حيث لا ينبغي. إن كان يعمل أُبطل فورًا. لا يُحفظ هنا.',
  leakKey: 'المفتاح',
  leakReport: 'إبلاغ وإبطال',
  leakFound: 'أُبطل. كان هذا المفتاح:',
  leakUnknown: 'تم الإبلاغ. ليس مفتاحًا عاملًا لهذا المستأجر.',
};
