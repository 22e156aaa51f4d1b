import { textsOf } from './text.ts';

export const AR = textsOf({
  enterToLogIn: 'أدخل هذا الرمز حيث تسجّل الدخول:',
  orOpenToLogIn: 'أو افتح هذا الرابط في المتصفح الذي تسجّل الدخول منه:',
  enterToVerify: 'أدخل هذا الرمز لتأكيد {{identifier}}:',
  orOpen: 'أو افتح هذا الرابط في المتصفح الذي بدأت منه:',
  enterToRecover: 'أدخل هذا الرمز لاستعادة حسابك:',
  validFor: 'صالح لمدة {{minutes}} دقيقة.',
  ignore: 'إذا لم تطلب ذلك فيمكنك تجاهل هذه الرسالة. لا تشارك الرمز مع أي شخص.',
  help: 'لديك أسئلة؟ راسلنا على {{support_email}}.',
  time: 'الوقت: {{time}}',
  device: 'الجهاز: {{device}}',
  notYou: 'إذا لم تكن أنت من فعل ذلك، فغيّر كلمة المرور وراجع عوامل التحقق الثانية الآن.',
  openToUndo: 'إذا لم تكن أنت من فعل ذلك، فافتح هذا الرابط للتراجع عن التغيير:',
  subjects: {
    login: 'تسجيل الدخول إلى {{company}}',
    verification: 'تأكيد عنوانك لدى {{company}}',
    recovery: 'استعادة حسابك لدى {{company}}',
  },
  notices: {
    'notice.new_device': [
      'تسجيل دخول جديد إلى {{company}}',
      'تم تسجيل الدخول إلى حسابك من جهاز جديد.',
    ],
    'notice.factor_added': [
      'تمت إضافة عامل تحقق ثانٍ لدى {{company}}',
      'تمت إضافة عامل تحقق ثانٍ إلى حسابك.',
    ],
    'notice.factor_removed': [
      'تمت إزالة عامل تحقق ثانٍ لدى {{company}}',
      'تمت إزالة عامل تحقق ثانٍ من حسابك.',
    ],
    'notice.password_changed': [
      'تم تغيير كلمة المرور لدى {{company}}',
      'تم تغيير كلمة مرور حسابك.',
    ],
    'notice.identifier_added': [
      'تمت إضافة عنوان لدى {{company}}',
      'تمت إضافة عنوان إلى حسابك: {{changed}}',
    ],
    'notice.identifier_removed': [
      'تمت إزالة عنوان لدى {{company}}',
      'تمت إزالة عنوان من حسابك: {{changed}}',
    ],
    'notice.identifier_changing': [
      'سيتغير عنوانك لدى {{company}}',
      'سيتغير عنوان حسابك إلى {{changed}}.',
    ],
    'notice.recovery_begun': [
      'بدأت استعادة الحساب لدى {{company}}',
      'بدأ شخص ما استعادة حسابك. لم يتغير أي شيء بعد.',
    ],
    'notice.second_factor_refused': [
      'رُفض تسجيل الدخول لدى {{company}}',
      'أدخل شخص ما كلمة المرور أو الرمز الصحيح لحسابك، ولكن دون عامل التحقق الثاني. رُفض تسجيل الدخول.',
    ],
    'notice.account_reclaimed': [
      'حسابك لدى {{company}}',
      'أكّد صاحب {{changed}} هذا العنوان. أصبح العنوان تابعًا لحسابه، وأُنهي وصول الآخرين إليه.',
    ],
  },
});
