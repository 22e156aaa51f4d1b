import type { MAIL as English } from '../en/mail.ts';
import type { Translated } from '../keys.ts';

export const MAIL: Translated<typeof English> = {
  'mail.login.subject': '{company} へのログイン',
  'mail.verification.subject': '{company} のメールアドレスの確認',
  'mail.recovery.subject': '{company} のアカウントの復旧',
  'mail.enter_to_log_in': 'ログイン画面でこのコードを入力してください：',
  'mail.open_to_log_in': 'または、ログイン中のブラウザーで次のリンクを開いてください：',
  'mail.enter_to_verify': '{identifier} を確認するには、このコードを入力してください：',
  'mail.enter_to_recover': 'アカウントを復旧するには、このコードを入力してください：',
  'mail.open': 'または、手続きを始めたブラウザーで次のリンクを開いてください：',
  'mail.valid_for': '有効期限は {duration}です。',
  'mail.duration': '{minutes, plural, other {# 分}}',
  'mail.ignore':
    'お心当たりがない場合は、このメールを無視してください。コードは絶対に他人に教えないでください。',
  'mail.help': 'ご不明な点は {support_email} までお問い合わせください。',
  'mail.time': '日時：{time}',
  'mail.device': 'デバイス：{device}',
  'mail.not_you':
    'お心当たりがない場合は、すぐにパスワードを変更し、二要素認証の設定を確認してください。',
  'mail.open_to_undo': 'お心当たりがない場合は、次のリンクを開いて変更を取り消してください：',

  'mail.invitation.subject': '{company} への招待',
  'mail.invitation.what': '{company} に招待されています。',
  'mail.invitation.open': '招待を承諾するには、次のリンクを開いてください：',
  'mail.invitation.valid_until': '有効期限：{valid_until}',
  'mail.invitation.ignore':
    'お心当たりがない場合は、このメールを無視してください。リンクやコードは絶対に他人に教えないでください。',

  'sms.login': '{company} のログイン用コード：{code}。誰にも教えないでください。',
  'sms.verification': '{company} の電話番号確認用コード：{code}。誰にも教えないでください。',

  'notice.new_device.subject': '{company} への新しいログイン',
  'notice.new_device.text': '新しいデバイスからアカウントへのログインがありました。',
  'notice.factor_added.subject': '{company}：二要素認証が追加されました',
  'notice.factor_added.text': 'アカウントに二要素認証の手段が追加されました。',
  'notice.factor_removed.subject': '{company}：二要素認証が削除されました',
  'notice.factor_removed.text': 'アカウントから二要素認証の手段が削除されました。',
  'notice.password_changed.subject': '{company}：パスワードが変更されました',
  'notice.password_changed.text': 'アカウントのパスワードが変更されました。',
  'notice.password_breached.subject': '{company} の新しいパスワードを設定してください',
  'notice.password_breached.text':
    'アカウントのパスワードが、他のサービスの情報漏えいで見つかっています。新しいパスワードを設定してください。',
  'notice.identifier_added.subject': '{company}：アドレスが追加されました',
  'notice.identifier_added.text': 'アカウントに次のアドレスが追加されました：{changed}',
  'notice.identifier_removed.subject': '{company}：アドレスが削除されました',
  'notice.identifier_removed.text': 'アカウントから次のアドレスが削除されました：{changed}',
  'notice.identifier_primary.subject': '{company}：メインのアドレスが変更されました',
  'notice.identifier_primary.text':
    'アカウントのメインのアドレスが次のアドレスに変更されました：{changed}',
  'notice.identifiers_restored.subject': '{company}：アドレスが元に戻されました',
  'notice.identifiers_restored.text':
    'アカウントのアドレスの変更が取り消され、すべてのセッションが終了しました。',
  'notice.recovery_begun.subject': '{company}：アカウントの復旧が開始されました',
  'notice.recovery_begun.text':
    'アカウントの復旧手続きが開始されました。まだ何も変更されていません。',
  'notice.second_factor_refused.subject': '{company}：ログインが拒否されました',
  'notice.second_factor_refused.text':
    'アカウントの正しいパスワードまたはコードが入力されましたが、二要素認証に失敗したため、ログインは拒否されました。',
  'notice.identity_linked.subject': '{company}：新しいログイン方法',
  'notice.identity_linked.text':
    '{changed} のアカウントで {company} にログインできるようになりました。',
  'notice.identity_unlinked.subject': '{company}：ログイン方法の削除',
  'notice.identity_unlinked.text':
    '{changed} のアカウントでは {company} にログインできなくなりました。',
  'notice.account_deleted.subject': '{company}：アカウントの削除',
  'notice.account_deleted.text':
    '{company} のアカウントが削除されました。このアカウントではもうログインできません。',
  'notice.account_reclaimed.subject': '{company} のアカウントについて',
  'notice.account_reclaimed.text':
    '{changed} の所有者がこのアドレスを確認しました。アドレスは所有者のアカウントに属し、他の人によるアクセスは終了しました。',
  'notice.logins_changed.subject': '{company}：ログイン設定の変更',
  'notice.logins_changed.text': '{company} へのログイン方法が変更されました：{change}',
  'notice.logins_changed.by': '変更者：{actor}',
  'notice.logins_changed.warning':
    'お心当たりがない場合は、すぐに設定と監査ログを確認してください。',
  'notice.actor.system_administrator': 'システム管理者',
  'notice.change.provider_added': 'ID プロバイダー {changed} が追加されました。',
  'notice.change.provider_changed': 'ID プロバイダー {changed} が変更されました。',
  'notice.change.provider_deleted': 'ID プロバイダー {changed} が削除されました。',
  'notice.change.provider_domain_added': 'ドメイン {changed} が ID プロバイダーに追加されました。',
  'notice.change.provider_domain_verified':
    'ID プロバイダーのドメイン {changed} が確認されました。',
  'notice.change.provider_domain_removed':
    'ドメイン {changed} が ID プロバイダーから削除されました。',
  'notice.change.domains': '現在のドメイン：{changed}',
  'notice.change.mail_server': 'メールの送信サーバーが {changed} の新しい設定に変更されました。',
  'notice.change.mail_server_removed': 'メールサーバーが削除されました。',
  'notice.change.sms_provider': 'SMS の送信元が {changed} の新しい設定に変更されました。',
  'notice.change.sms_provider_removed': 'SMS プロバイダーが削除されました。',
};
