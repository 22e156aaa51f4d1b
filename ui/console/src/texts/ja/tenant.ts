import type { tenant as english } from '../en/tenant.ts';
import type { Translation } from '../format.ts';

export const tenant: Translation<typeof english> = {
  // Audit
  action: '操作',
  outcome: '結果',
  'outcome.success': '成功',
  'outcome.failure': '失敗',
  'outcome.denied': '拒否',
  actor: '実行者',
  onBehalfOf: '代理元',
  target: '対象',
  when: '日時',
  auditEmpty: 'まだ何もありません。',
  ipAddress: 'アドレス',
  chainPosition: 'チェーン内の位置',
  notSealed: '数秒で封印されます',
  hash: 'ハッシュ',
  around: 'この前後のすべて',
  auditHint: '各記録はチェーンに封印されます。気付かれずに変更や省略をすることはできません。',
  from: '開始',
  to: '終了',
  export: '書き出す',
  exporting: '書き出し中 …',

  // Settings
  'group.logins': 'ログイン',
  'group.passwords': 'パスワード',
  'group.oauth': 'OAuth',
  'group.limits': '上限',
  'group.others': 'その他',
  branding: 'ブランド',
  issuer: '発行者',
  domains: 'ドメイン',

  // Overview
  overviewNothing:
    'あなたのロールでは、ここで読めるものがありません。管理者に別のロールを依頼してください。',
  inNumbers: '件数',
  liveSessions: '継続中のセッション',
  setUp: '設定項目',
  stepDone: '完了',
  stepOpen: '未完了',
  'step.mail': 'リンクやコードをユーザーに届けるメールサーバー',
  'step.domain': '独自のドメイン',
  'step.branding': 'ページの名前と配色',
  'step.client': 'ユーザーがログインする最初のアプリケーション',
  'step.administrator': '二人目の管理者',
  welcome: 'ようこそ',
  welcomeLead:
    '{name} としてログインしています。このリンクは一度しか使えません。パスキーがあれば、リンクも表示されたパスワードも今後は不要です。',
  passkeyCreate: 'パスキーを作成',
  notNow: '後で',
  passkeyAdded: 'パスキーを追加しました。次回からこれでログインできます。',
  recoveryCodes: 'リカバリーコード',
  passkeyFailed:
    'このブラウザーではパスキーが作成されませんでした。もう一度試すか、後でアカウントから作成してください。',
  recent: '最近の変更',
};
