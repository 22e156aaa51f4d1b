import type { tokens as english } from '../en/tokens.ts';
import type { Translation } from '../format.ts';

export const tokens: Translation<typeof english> = {
  'group.claims': 'カスタムクレーム',
  tokenPreview: 'トークンのプレビュー',
  tokenPreviewHint:
    '上のクレームが今のままだと（保存前でも）、このユーザーのトークンに何が入るかを示します。ログインは行われず、トークンも発行されません。',
  tokenPreviewShow: '表示',
  tokenPreviewDirect: 'なし（直接ログイン）',
  tokenAccess: 'アクセストークン',
  tokenId: 'ID トークン',
  claim: 'クレーム',
  claimValue: '値',
  claimFrom: '由来',
  claimOutcome: '結果',
  claimHidden: 'このアプリケーションだけが知る値',
  'claim.added': 'アクセストークンに入る',
  'claim.no_value': '値がないため省略',
  'claim.refused': '拒否',
  'origin.service': 'サービス',
  'origin.login': 'ログインごとに異なる（これは例）',
  'origin.identifier': 'ユーザーの連絡先',
  'origin.metadata': '管理者が書いたメタデータ',
  'origin.user_metadata': 'ユーザー自身が書いたメタデータ',
  'origin.constant': 'この設定',
};
