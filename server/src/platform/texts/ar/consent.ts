import type { CONSENT as English } from '../en/consent.ts';
import type { Translated } from '../keys.ts';

export const CONSENT: Translated<typeof English> = {
  'consent.title': 'هل تسمح للتطبيق {client} باستخدام حسابك؟',
  'consent.lead': 'أنت {identifier} لدى {tenant}.',
  'consent.new': 'سيتمكن من',
  'consent.known': 'يمكنه بالفعل',
  'consent.host': 'ستعود إلى <b>{host}</b>. يمكنك سحب هذا الإذن في أي وقت.',
  'consent.allow': 'السماح',
  'consent.deny': 'عدم السماح',

  'scope.openid': 'معرفة أنك أنت',
  'scope.profile': 'قراءة اسمك وملفك الشخصي',
  'scope.email': 'قراءة بريدك الإلكتروني',
  'scope.phone': 'قراءة رقم هاتفك',
  'scope.offline_access': 'الاحتفاظ بالوصول أثناء غيابك',
  'scope.read': 'قراءة: {what}',
  'scope.write': 'تغيير: {what}',
  'scope.delete': 'حذف: {what}',
  'scope.all': 'قراءة وتغيير وحذف: {what}',
  'scope.everything': 'كل ما هو مسموح لك به',
  'scope.use': 'استخدامه باسمك',
  'scope.at': '{resource}: {what}',

  'accounts.title': 'اختر حسابًا',
  'accounts.continue': 'المتابعة باسم {identifier}',

  'logout.title': 'هل تريد تسجيل الخروج من {tenant}؟',
  'logout.lead': 'سجّلت الدخول باسم {identifier}.',
  'logout.applications': 'ستنهيه أيضًا التطبيقات التي فتحتها بتسجيل الدخول هذا.',
  'logout.return': 'ثم ستعود إلى <b>{host}</b>.',
  'logout.no_return': 'لن تعود إلى التطبيق: تعذّر التحقق من أنه طلب ذلك.',
  'logout.submit': 'تسجيل الخروج',
  'logout.stay': 'البقاء مسجّل الدخول',
  'logout.done': 'تم تسجيل خروجك',
  'logout.told': 'أُبلغت هذه التطبيقات:',
  'logout.waiting': 'لم تستجب هذه التطبيقات بعد:',
  'logout.again': 'التحقق من استجابتها',
  'logout.failed': 'لم تستجب هذه التطبيقات. سجّل الخروج منها بنفسك:',
  'logout.not_told': 'لا تُبلَّغ هذه التطبيقات. سجّل الخروج منها بنفسك:',
  'logout.stayed': 'ما زلت مسجّل الدخول',
  'logout.close': 'يمكنك إغلاق هذه الصفحة.',
};
