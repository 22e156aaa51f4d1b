import type { tenant as english } from '../en/tenant.ts';
import type { Translation } from '../format.ts';

export const tenant: Translation<typeof english> = {
  // Audit
  action: 'الإجراء',
  outcome: 'النتيجة',
  'outcome.success': 'نجاح',
  'outcome.failure': 'فشل',
  'outcome.denied': 'مرفوض',
  actor: 'الفاعل',
  onBehalfOf: 'نيابة عن',
  target: 'على ماذا',
  when: 'متى',
  auditEmpty: 'لا شيء بعد.',
  ipAddress: 'العنوان',
  chainPosition: 'الموضع في السلسلة',
  notSealed: 'يُختم خلال ثوانٍ',
  hash: 'التجزئة',
  around: 'كل ما حول هذا',
  auditHint: 'يُختم كل سجل في سلسلة: لا يمكن تغيير أي منها أو إغفاله دون أن يُلاحظ.',
  from: 'من',
  to: 'حتى',
  export: 'تصدير',
  exporting: 'جارٍ التصدير …',

  // Settings
  'group.logins': 'تسجيل الدخول',
  'group.passwords': 'كلمات المرور',
  'group.oauth': 'OAuth',
  'group.limits': 'الحدود',
  'group.others': 'أخرى',
  branding: 'العلامة التجارية',
  issuer: 'جهة الإصدار',
  domains: 'النطاقات',

  // Overview
  overviewNothing: 'لا تتيح لك أدوارك قراءة أي شيء هنا. يمكن لأحد المسؤولين منحك أدوارًا أخرى.',
  inNumbers: 'بالأرقام',
  liveSessions: 'الجلسات الجارية',
  setUp: 'ما يلزم إعداده',
  stepDone: 'تم',
  stepOpen: 'مفتوح',
  'step.mail': 'خادم بريد، لتصل الروابط والرموز إلى المستخدمين',
  'step.domain': 'نطاق خاص بك',
  'step.branding': 'اسم صفحاتك وألوانها',
  'step.client': 'أول تطبيق يسجّل المستخدمون الدخول إليه',
  'step.administrator': 'مسؤول ثانٍ',
  welcome: 'مرحبًا',
  welcomeLead:
    'لقد سجّلت الدخول باسم {name}. يعمل رابط كهذا مرة واحدة: مع مفتاح المرور لن تحتاج إليه ولا إلى كلمة المرور المعروضة بعد الآن.',
  passkeyCreate: 'إنشاء مفتاح مرور',
  notNow: 'ليس الآن',
  passkeyAdded: 'أُضيف مفتاح المرور. يمكنك تسجيل الدخول به من الآن.',
  recoveryCodes: 'رموز الاسترداد الخاصة بك',
  passkeyFailed: 'لم ينشئ هذا المتصفح أي مفتاح مرور. حاول مرة أخرى، أو لاحقًا من حسابك.',
  recent: 'أحدث التغييرات',
};
