import type { invitations as english } from '../en/invitations.ts';
import type { Translation } from '../format.ts';

export const invitations: Translation<typeof english> = {
  // Invitations
  invitations: '招待',
  invite: '招待する',
  inviteHint:
    'リンクの付いたメールが届きます。このアドレスのユーザーがすでにいるかどうかにかかわらず、応答は同じです。',
  invited: '{name} を招待しました。',
  invitationsEmpty:
    '招待はまだありません。招待があれば、登録できない場合でもリンクから参加できます。',
  invitation: '招待',
  'invitation.pending': '保留中',
  'invitation.accepted': '承諾済み',
  'invitation.revoked': '取り消し済み',
  'invitation.expired': '期限切れ',
  invitedBy: '招待した人',
  lastSent: '最終送信',
  acceptedBy: '承諾した人',
  invitationResend: '再送信',
  invitationResendTitle: '{name} への招待を再送信しますか?',
  invitationResendHint: '同じリンクで、有効期限も変わりません。以前のメールも引き続き有効です。',
  invitationResent: '{name} への招待を再送信しました。',
  invitationRevokeTitle: '{name} の招待を取り消しますか?',
  invitationRevokeHint:
    'リンクは使えなくなり、承諾の途中の人も完了できません。すでに参加したユーザーはそのままです。',
  'name.locale': '言語',
};
