import type { MAIL as English } from '../en/mail.ts';
import type { Translated } from '../keys.ts';

export const MAIL: Translated<typeof English> = {
  'mail.login.subject': 'تسجيل الدخول إلى {company}',
  'mail.verification.subject': 'تأكيد عنوانك لدى {company}',
  'mail.recovery.subject': 'استعادة حسابك لدى {company}',
  'mail.enter_to_log_in': 'أدخل هذا الرمز حيث تسجّل الدخول:',
  'mail.open_to_log_in': 'أو افتح هذا الرابط في المتصفح الذي تسجّل الدخول منه:',
  'mail.enter_to_verify': 'أدخل هذا الرمز لتأكيد {identifier}:',
  'mail.enter_to_recover': 'أدخل هذا الرمز لاستعادة حسابك:',
  'mail.open': 'أو افتح هذا الرابط في المتصفح الذي بدأت منه:',
  'mail.valid_for': 'صالح لمدة {duration}.',
  'mail.duration':
    '{minutes, plural, zero {# دقيقة} one {دقيقة واحدة} two {دقيقتين} few {# دقائق} many {# دقيقة} other {# دقيقة}}',
  'mail.ignore': 'إذا لم تطلب ذلك فيمكنك تجاهل هذه الرسالة. لا تشارك الرمز مع أي شخص.',
  'mail.help': 'لديك أسئلة؟ راسلنا على {support_email}.',
  'mail.time': 'الوقت: {time}',
  'mail.device': 'الجهاز: {device}',
  'mail.not_you': 'إذا لم تكن أنت من فعل ذلك، فغيّر كلمة المرور وراجع عوامل التحقق الثانية الآن.',
  'mail.open_to_undo': 'إذا لم تكن أنت من فعل ذلك، فافتح هذا الرابط للتراجع عن التغيير:',
  'mail.send_to_undo': 'إذا لم تكن أنت من فعل ذلك، فهذا الرمز السري يلغي التغيير خلال 7 أيام:',

  'mail.invitation.subject': 'دعوة إلى {company}',
  'mail.invitation.what': 'تمت دعوتك إلى {company}.',
  'mail.invitation.open': 'افتح هذا الرابط لقبول الدعوة:',
  'mail.invitation.valid_until': 'صالحة حتى {valid_until}.',
  'mail.invitation.ignore':
    'إذا لم تكن تتوقع هذه الدعوة فيمكنك تجاهل هذه الرسالة. لا تشارك الرابط أو الرمز مع أي شخص.',

  'sms.login': '{code} هو رمز تسجيل الدخول إلى {company}. لا تعطه لأي شخص.',
  'sms.verification': '{code} هو رمز تأكيد هذا الرقم لدى {company}. لا تعطه لأي شخص.',

  'notice.new_device.subject': 'تسجيل دخول جديد إلى {company}',
  'notice.new_device.text': 'تم تسجيل الدخول إلى حسابك من جهاز جديد.',
  'notice.factor_added.subject': 'تمت إضافة عامل تحقق ثانٍ لدى {company}',
  'notice.factor_added.text': 'تمت إضافة عامل تحقق ثانٍ إلى حسابك.',
  'notice.factor_removed.subject': 'تمت إزالة عامل تحقق ثانٍ لدى {company}',
  'notice.factor_removed.text': 'تمت إزالة عامل تحقق ثانٍ من حسابك.',
  'notice.password_changed.subject': 'تم تغيير كلمة المرور لدى {company}',
  'notice.password_changed.text': 'تم تغيير كلمة مرور حسابك.',
  'notice.password_breached.subject': 'اختر كلمة مرور جديدة في {company}',
  'notice.password_breached.text':
    'كلمة مرور حسابك معروفة من تسريب بيانات في خدمة أخرى. اختر كلمة مرور جديدة.',
  'notice.identifier_added.subject': 'تمت إضافة عنوان لدى {company}',
  'notice.identifier_added.text': 'تمت إضافة عنوان إلى حسابك: {changed}',
  'notice.identifier_removed.subject': 'تمت إزالة عنوان لدى {company}',
  'notice.identifier_removed.text': 'تمت إزالة عنوان من حسابك: {changed}',
  'notice.identifier_primary.subject': 'تغيّر العنوان الرئيسي لدى {company}',
  'notice.identifier_primary.text': 'العنوان الرئيسي لحسابك هو الآن: {changed}',
  'notice.identifiers_restored.subject': 'استُعيدت عناوينك لدى {company}',
  'notice.identifiers_restored.text': 'أُلغي تغيير في عناوين حسابك، وأُنهيت جميع جلساتك.',
  'notice.recovery_begun.subject': 'بدأت استعادة الحساب لدى {company}',
  'notice.recovery_begun.text': 'بدأ شخص ما استعادة حسابك. لم يتغير أي شيء بعد.',
  'notice.second_factor_refused.subject': 'رُفض تسجيل الدخول لدى {company}',
  'notice.second_factor_refused.text':
    'أدخل شخص ما كلمة المرور أو الرمز الصحيح لحسابك، ولكن دون عامل التحقق الثاني. رُفض تسجيل الدخول.',
  'notice.identity_linked.subject': 'طريقة جديدة لتسجيل الدخول إلى {company}',
  'notice.identity_linked.text': 'يمكن الآن استخدام حساب لدى {changed} لتسجيل الدخول إلى {company}.',
  'notice.identity_unlinked.subject': 'أُزيلت طريقة لتسجيل الدخول إلى {company}',
  'notice.identity_unlinked.text':
    'لم يعد بالإمكان استخدام حساب لدى {changed} لتسجيل الدخول إلى {company}.',
  'notice.account_deleted.subject': 'حُذف حسابك لدى {company}',
  'notice.account_deleted.text': 'حُذف حسابك لدى {company}. لم يعد بإمكان أحد تسجيل الدخول إليه.',
  'notice.account_reclaimed.subject': 'حسابك لدى {company}',
  'notice.account_reclaimed.text':
    'أكّد صاحب {changed} هذا العنوان. أصبح العنوان تابعًا لحسابه، وأُنهي وصول الآخرين إليه.',
};
