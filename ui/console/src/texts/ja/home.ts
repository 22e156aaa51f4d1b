import type { home as english } from '../en/home.ts';
import type { Translation } from '../format.ts';

export const home: Translation<typeof english> = {
  // Overview
  attention: '要確認',
  'attention.keyEnds': {
    other:
      '{count} 個の鍵が署名を終えました。1 日以内に最後のトークンが失効します。検証側には新しい鍵が必要です',
  },
  'attention.keyOld': {
    other: '{count} 個の鍵が 11 か月以上署名に使われています。ローテーションしてください',
  },
  'attention.hookDisabled': {
    other: '配信の失敗により {count} 件の Webhook が無効になりました',
  },
  'attention.hookFails': {
    other: '{count} 件の Webhook の配信が失敗しています',
  },
  'attention.administrator': {
    other: '{count} 人の管理者が一度もログインしていません',
  },
  'attention.message': {
    other: '過去 30 日間に送信できなかったメッセージが {count} 件あります',
  },

  // Filters of users
  hasLoggedIn: 'ログイン',
  onceLoggedIn: 'ログインしたことがある',
  neverLoggedIn: 'ログインしたことがない',
  lastLoginBefore: '最終ログインが次より前',

  // Defaults of settings
  notDefault: '変更済み',
  toDefault: '既定値に戻す',
  toDefaultUnsaved: '保存すると既定値が適用されます。',

  // Mail
  mail: 'メール',
  mailServer: 'メールサーバー',
  mailOwn: 'メールはこのサーバーから送られます。',
  mailNone:
    '独自のメールサーバーはありません。少なくともサーバーと差出人が必要です。それまでは、運用者のサーバーがあればそこから送られます。',
  mailPasswordKept:
    'パスワードは保存されています。欄が空の間は変わりません。サーバーやユーザー名を変えるときは、もう一度入力が必要です。',
  mailTakeBack: 'メールサーバーを外す',
  mailTakeBackTitle: 'メールサーバーを外しますか？',
  mailTakeBackHint:
    'アドレス、ユーザー名、パスワードが削除されます。以後メールは運用者のサーバーから送られます。それもない場合、メールは送られず、メールによるログインもできません。',
  mailTakenBack: 'メールサーバーを外しました。',
  mailAccepted: 'サーバーが受け付けました。',
  'security.tls': '最初から TLS',
  'security.starttls': 'STARTTLS（必須）',
  'security.none': 'なし',

  // Domains
  tenantDomain: 'ホスト名',
  tenantDomainHint:
    'ドメインは一つのテナントだけのものです。追加後、上に示すとおり DNS をこのサービスに向けてください。',
  tenantDomainAdded: '{name} を追加しました。DNS をこのサービスに向けてください。',
  tenantDomainRemoveHint:
    'このホストへのリクエストはテナントのものではなくなります。そこでログインする人は、コンソールも含め、別のアドレスが必要です。',
  tenantDomainsByOthers: 'ドメインの追加と削除はシステム管理者が行います。依頼してください。',

  // Fields of the API
  'name.smtp_host': 'サーバー',
  'name.smtp_port': 'ポート',
  'name.smtp_security': '暗号化',
  'name.smtp_username': 'ユーザー名',
  'name.smtp_password': 'パスワード',
  'name.from_address': '差出人',
  'name.from_name': '差出人の名前',
  'name.reply_to': '返信先',
};
