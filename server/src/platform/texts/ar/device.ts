import type { DEVICE as English } from '../en/device.ts';
import type { Translated } from '../keys.ts';

export const DEVICE: Translated<typeof English> = {
  'device.title': 'توصيل جهاز',
  'device.lead': 'أدخل الرمز الذي يعرضه الجهاز.',
  'device.lead_given':
    'قارن هذا الرمز بالرمز الذي يعرضه جهازك. لا تتابع إلا إذا كان ذلك الجهاز أمامك.',
  'device.code': 'رمز الجهاز',
  'device.continue': 'متابعة',
  'device.warning': 'إذا أرسل إليك شخص ما هذا الرمز، فأغلق هذه الصفحة: سيسجّل الدخول باسمك.',
  'device.wrong': 'لا يوجد جهاز ينتظر بهذا الرمز. ربما انتهت صلاحيته: ابدأ من جديد على الجهاز.',
  'device.asks': 'جهاز يطلب هذا',
  'device.shows': 'يعرض الرمز <b>{code}</b>.',
  'device.begun':
    'طلب ذلك {minutes, plural, =0 {الآن} zero {الآن} one {قبل دقيقة} two {قبل دقيقتين} few {قبل # دقائق} many {قبل # دقيقة} other {قبل # دقيقة}} من العنوان <b>{address}</b>.',
  'device.check': 'لا تسمح بذلك إلا إذا بدأته بنفسك على جهاز أمامك.',
  'device.done_title': 'تم توصيل الجهاز',
  'device.done': 'ستسجّل الدخول عليه خلال ثوانٍ. يمكنك إغلاق هذه الصفحة.',
  'device.denied_title': 'لم يتم توصيل الجهاز',
  'device.denied': 'لم يُسمح بأي شيء. يمكنك إغلاق هذه الصفحة.',
  'device.over_title': 'لم يعد من الممكن استخدام هذا الرمز',
  'device.over': 'انتهت صلاحيته، أو اتُّخذ القرار بالفعل. ابدأ من جديد على الجهاز.',
  'device.refused': 'لا يمكن لهذا الحساب السماح بما يطلبه الجهاز.',
};
