import type { tokens as english } from '../en/tokens.ts';
import type { Translation } from '../format.ts';

export const tokens: Translation<typeof english> = {
  'group.claims': 'مطالبات مخصّصة',
  tokenPreview: 'معاينة الرموز',
  tokenPreviewHint:
    'ما تقوله رموز مستخدم بالمطالبات أعلاه كما هي الآن، محفوظة أو غير محفوظة. لا يدخل أحد ولا يُنشأ أي رمز.',
  tokenPreviewShow: 'عرض',
  tokenPreviewDirect: 'بلا تطبيق: دخول مباشر',
  tokenAccess: 'رمز الوصول',
  tokenId: 'رمز الهوية',
  claim: 'المطالبة',
  claimValue: 'القيمة',
  claimFrom: 'المصدر',
  claimOutcome: 'النتيجة',
  claimHidden: 'لا يعرفها إلا هذا التطبيق',
  'claim.added': 'في رمز الوصول',
  'claim.no_value': 'متروكة: لا قيمة لها',
  'claim.refused': 'مرفوضة',
  'origin.service': 'الخدمة',
  'origin.login': 'تختلف مع كل دخول، وهذا مثال',
  'origin.identifier': 'عنوان المستخدم',
  'origin.metadata': 'بيانات وصفية كتبها المسؤولون',
  'origin.user_metadata': 'بيانات وصفية كتبها المستخدم',
  'origin.constant': 'هذه الإعدادات',
};
