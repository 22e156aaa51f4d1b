import type { ERRORS as English } from '../en/errors.ts';
import type { Translated } from '../keys.ts';

export const ERRORS: Translated<typeof English> = {
  'error.tenant_not_found.title': 'لا يوجد أحد هنا',
  'error.tenant_not_found': 'لا توجد مؤسسة بهذا العنوان. تحقق منه، أو ارجع إلى حيث كنت.',
  'error.tenant_inactive.title': 'هذه المؤسسة مغلقة حاليًا',
  'error.tenant_inactive': 'لا يمكن لأحد تسجيل الدخول إليها. اسأل القائمين عليها.',
  'error.form_too_old.title': 'هذه الصفحة قديمة جدًا',
  'error.form_too_old': 'ارجع إلى التطبيق، وسجّل الدخول مرة أخرى.',
  'error.cookie_refused.title': 'رفض متصفحك ملف تعريف ارتباط',
  'error.cookie_refused':
    'يحتاج تسجيل الدخول إليه حتى يكتمل. اسمح بملفات تعريف الارتباط لهذا الموقع. ارجع إلى التطبيق، وسجّل الدخول مرة أخرى.',
  'error.origin_refused.title': 'جاء هذا النموذج من موقع آخر',
  'error.origin_refused': 'لم يُنفَّذ أي شيء بناءً عليه. ارجع إلى التطبيق، وسجّل الدخول مرة أخرى.',
  'error.request_invalid.title': 'لا يمكن لهذا التطبيق تسجيل دخولك',
  'error.request_invalid': 'طلبه غير صحيح، لذلك لم يُرسَل إليه أي رد. أبلغ القائمين عليه.',
  'error.oauth_off.title': 'لا يمكن للتطبيقات تسجيل دخولك هنا',
  'error.oauth_off': 'أوقفت هذه المؤسسة ذلك. اسأل القائمين عليها.',
  'error.issuer_elsewhere.title': 'تسجيل الدخول متاح على عنوان آخر',
  'error.issuer_elsewhere': 'ارجع إلى التطبيق، وسجّل الدخول مرة أخرى.',
  'error.provider_refused.title': 'لم يُؤكَّد تسجيل الدخول',
  'error.provider_refused':
    'استغرق وقتًا طويلًا، أو سبق استخدامه. ارجع إلى التطبيق، وسجّل الدخول مرة أخرى.',
  'error.address_incomplete.title': 'هذا العنوان غير مكتمل',
  'error.address_incomplete': 'ارجع إلى التطبيق، وسجّل الدخول مرة أخرى.',
  'error.unavailable.title': 'لحظة من فضلك',
  'error.unavailable': 'يُعاد تشغيل الخدمة أو أنها مشغولة جدًا. أعد تحميل هذه الصفحة بعد لحظات.',
  'error.internal.title': 'حدث خطأ ما',
  'error.internal':
    'ليس الخطأ منك. حاول مرة أخرى. إذا استمر الخطأ فأبلغ القائمين على هذه الخدمة بالرقم أدناه.',
  'error.wait':
    'حاول مرة أخرى {minutes, plural, zero {الآن} one {بعد دقيقة} two {بعد دقيقتين} few {بعد # دقائق} many {بعد # دقيقة} other {بعد # دقيقة}}.',
};
