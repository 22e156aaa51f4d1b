import type { PROBLEMS as English } from '../en/problems.ts';
import type { Translated } from '../keys.ts';

export const PROBLEMS: Translated<typeof English> = {
  'problem.credentials': 'الحساب أو كلمة المرور غير صحيح.',
  'problem.code': 'هذا الرمز غير صحيح أو لم يعد صالحًا.',
  'problem.passkey': 'لم يُقبل مفتاح المرور هذا. حاول مرة أخرى، أو سجّل الدخول بطريقة أخرى.',
  'problem.ended': 'انتهى تسجيل الدخول هذا. ابدأ من جديد.',
  'problem.elsewhere': 'استُكمل تسجيل الدخول هذا في مكان آخر. ابدأ من جديد.',
  'problem.busy': 'الخدمة مشغولة. حاول مرة أخرى بعد لحظات.',
  'problem.taken': 'يوجد حساب بهذا العنوان بالفعل. سجّل الدخول إليه بدلًا من ذلك.',
  'problem.link_elsewhere': 'هذا الرابط يخص تسجيل دخول آخر. أدخل رمز رسالته هناك.',
  'problem.provider': 'لم يُؤكَّد تسجيل الدخول هناك. حاول مرة أخرى، أو سجّل الدخول بطريقة أخرى.',
  'problem.provider_declined': 'لم تسجّل الدخول هناك. حاول مرة أخرى، أو سجّل الدخول بطريقة أخرى.',
  'problem.provider_unknown': 'لا يمكن استخدام ذلك الحساب لتسجيل الدخول هنا.',
  'problem.destination': 'لا تُرسَل رسائل إلى هذا الرقم. سجّل الدخول بطريقة أخرى.',
  'problem.attempts': 'جرت محاولات كثيرة جدًا.',
  'problem.messages': 'أُرسلت رسائل كثيرة جدًا.',
  'problem.incomplete': 'النموذج غير مكتمل.',
  'problem.typed': 'تحقق مما كتبته: {problem}',
  'typed.address': 'اكتب بريدًا إلكترونيًا، أو رقم هاتف مثل {example}.',
  'typed.own_address': 'اكتب أحد عناوينك.',
  'typed.too_long':
    'استخدم {count, plural, zero {# حرف} one {حرفًا واحدًا} two {حرفين} few {# أحرف} many {# حرفًا} other {# حرف}} على الأكثر.',
  'typed.too_short':
    'استخدم {count, plural, zero {# حرف} one {حرفًا واحدًا} two {حرفين} few {# أحرف} many {# حرفًا} other {# حرف}} على الأقل.',
  'typed.special': 'استخدم أيضًا رمزًا ليس حرفًا ولا رقمًا.',
  'typed.name': 'هذا لا يكاد يزيد على اسمك أو اسمنا. اختر شيئًا آخر.',
  'typed.common': 'هذه من أكثر كلمات المرور شيوعًا. اختر غيرها.',
  'typed.breached': 'كلمة المرور هذه معروفة من تسريب لدى خدمة أخرى. اختر غيرها.',
  'problem.wait':
    '{problem} حاول مرة أخرى {minutes, plural, zero {الآن} one {بعد دقيقة} two {بعد دقيقتين} few {بعد # دقائق} many {بعد # دقيقة} other {بعد # دقيقة}}.',
};
