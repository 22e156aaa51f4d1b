import { textsOf } from './text.ts';

export const JA = textsOf({
  enterToLogIn: 'ログイン画面でこのコードを入力してください：',
  orOpenToLogIn: 'または、ログイン中のブラウザーで次のリンクを開いてください：',
  enterToVerify: '{{identifier}} を確認するには、このコードを入力してください：',
  orOpen: 'または、手続きを始めたブラウザーで次のリンクを開いてください：',
  enterToRecover: 'アカウントを復旧するには、このコードを入力してください：',
  validFor: '有効期限は {{minutes}} 分です。',
  ignore:
    'お心当たりがない場合は、このメールを無視してください。コードは絶対に他人に教えないでください。',
  help: 'ご不明な点は {{support_email}} までお問い合わせください。',
  time: '日時：{{time}}',
  device: 'デバイス：{{device}}',
  notYou: 'お心当たりがない場合は、すぐにパスワードを変更し、二要素認証の設定を確認してください。',
  openToUndo: 'お心当たりがない場合は、次のリンクを開いて変更を取り消してください：',
  sendToUndo: 'お心当たりがない場合は、7日以内に次の秘密のコードで変更を取り消せます：',
  invitation: {
    subject: '{{company}} への招待',
    what: '{{company}} に招待されています。',
    open: '招待を承諾するには、次のリンクを開いてください：',
    enter: '招待を承諾するには、次の秘密のコードを入力してください：',
    validUntil: '有効期限：{{valid_until}}',
    ignore:
      'お心当たりがない場合は、このメールを無視してください。リンクやコードは絶対に他人に教えないでください。',
  },
  subjects: {
    login: '{{company}} へのログイン',
    verification: '{{company}} のメールアドレスの確認',
    recovery: '{{company}} のアカウントの復旧',
  },
  sms: {
    login: '{{company}} のログイン用コード：{{code}}。誰にも教えないでください。',
    verification: '{{company}} の電話番号確認用コード：{{code}}。誰にも教えないでください。',
  },
  notices: {
    'notice.new_device': [
      '{{company}} への新しいログイン',
      '新しいデバイスからアカウントへのログインがありました。',
    ],
    'notice.factor_added': [
      '{{company}}：二要素認証が追加されました',
      'アカウントに二要素認証の手段が追加されました。',
    ],
    'notice.factor_removed': [
      '{{company}}：二要素認証が削除されました',
      'アカウントから二要素認証の手段が削除されました。',
    ],
    'notice.password_changed': [
      '{{company}}：パスワードが変更されました',
      'アカウントのパスワードが変更されました。',
    ],
    'notice.password_breached': [
      '{{company}} の新しいパスワードを設定してください',
      'アカウントのパスワードが、他のサービスの情報漏えいで見つかっています。新しいパスワードを設定してください。',
    ],
    'notice.identifier_added': [
      '{{company}}：アドレスが追加されました',
      'アカウントに次のアドレスが追加されました：{{changed}}',
    ],
    'notice.identifier_removed': [
      '{{company}}：アドレスが削除されました',
      'アカウントから次のアドレスが削除されました：{{changed}}',
    ],
    'notice.identifier_primary': [
      '{{company}}：メインのアドレスが変更されました',
      'アカウントのメインのアドレスが次のアドレスに変更されました：{{changed}}',
    ],
    'notice.identifiers_restored': [
      '{{company}}：アドレスが元に戻されました',
      'アカウントのアドレスの変更が取り消され、すべてのセッションが終了しました。',
    ],
    'notice.recovery_begun': [
      '{{company}}：アカウントの復旧が開始されました',
      'アカウントの復旧手続きが開始されました。まだ何も変更されていません。',
    ],
    'notice.second_factor_refused': [
      '{{company}}：ログインが拒否されました',
      'アカウントの正しいパスワードまたはコードが入力されましたが、二要素認証に失敗したため、ログインは拒否されました。',
    ],
    'notice.identity_linked': [
      '{{company}}：新しいログイン方法',
      '{{changed}} のアカウントで {{company}} にログインできるようになりました。',
    ],
    'notice.identity_unlinked': [
      '{{company}}：ログイン方法の削除',
      '{{changed}} のアカウントでは {{company}} にログインできなくなりました。',
    ],
    'notice.account_deleted': [
      '{{company}}：アカウントの削除',
      '{{company}} のアカウントが削除されました。このアカウントではもうログインできません。',
    ],
    'notice.account_reclaimed': [
      '{{company}} のアカウントについて',
      '{{changed}} の所有者がこのアドレスを確認しました。アドレスは所有者のアカウントに属し、他の人によるアクセスは終了しました。',
    ],
  },
});
