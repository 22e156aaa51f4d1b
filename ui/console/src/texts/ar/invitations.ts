import type { invitations as english } from '../en/invitations.ts';
import type { Translation } from '../format.ts';

export const invitations: Translation<typeof english> = {
  // Invitations
  invitations: 'الدعوات',
  invite: 'دعوة شخص',
  inviteHint: 'تصل إلى الشخص رسالة فيها رابط. الرد واحد سواء كان هذا العنوان لأحد من قبل أم لا.',
  invited: 'تمت دعوة {name}.',
  invitationsEmpty: 'لا دعوات بعد. تتيح الدعوة الانضمام برابط، حتى حيث لا يمكن لأحد التسجيل.',
  invitation: 'الدعوة',
  'invitation.pending': 'معلّقة',
  'invitation.accepted': 'مقبولة',
  'invitation.revoked': 'مُبطلة',
  'invitation.expired': 'منتهية',
  invitedBy: 'دعاه',
  lastSent: 'آخر إرسال',
  acceptedBy: 'قبلها',
  invitationResend: 'إعادة الإرسال',
  invitationResendTitle: 'إعادة إرسال الدعوة إلى {name}؟',
  invitationResendHint: 'إنه الرابط نفسه وينتهي في موعده. تبقى الرسائل السابقة صالحة.',
  invitationResent: 'أُعيد إرسال الدعوة إلى {name}.',
  invitationRevokeTitle: 'إبطال دعوة {name}؟',
  invitationRevokeHint: 'لن يعمل الرابط، ومن يقبلها الآن لا يستطيع الإتمام. من انضم يبقى.',
  'name.locale': 'اللغة',
};
