import type { CONSENT as English } from '../en/consent.ts';
import type { Translated } from '../keys.ts';

export const CONSENT: Translated<typeof English> = {
  'consent.title': '{client} にアカウントの利用を許可しますか？',
  'consent.lead': '{tenant} に {identifier} としてログインしています。',
  'consent.new': '許可すると次のことができるようになります',
  'consent.known': 'すでに許可されていること',
  'consent.particular': '具体的な内容',
  'consent.yes': 'はい',
  'consent.no': 'いいえ',
  'consent.host': '<b>{host}</b> に戻ります。この許可はいつでも取り消せます。',
  'consent.new_address': 'このアプリの戻り先が新しいアドレスに変わりました：<b>{host}</b>',
  'consent.about': '{client} について',
  'consent.run_by': '運営元',
  'consent.unverified':
    '未確認：このアプリは自ら登録されたものです。名前が偽りの可能性があります。',
  'consent.allow': '許可する',
  'consent.deny': '許可しない',

  'scope.openid': 'ご本人であることの確認',
  'scope.profile': '名前とプロフィールの読み取り',
  'scope.email': 'メールアドレスの読み取り',
  'scope.phone': '電話番号の読み取り',
  'scope.offline_access': '不在時のアクセスの維持',
  'scope.read': '読み取り：{what}',
  'scope.write': '変更：{what}',
  'scope.delete': '削除：{what}',
  'scope.all': '読み取り、変更、削除：{what}',
  'scope.everything': 'あなたに許可されているすべて',
  'scope.use': 'あなたの名前での利用',
  'scope.at': '{resource}：{what}',

  'accounts.title': 'アカウントの選択',
  'accounts.continue': '{identifier} として続ける',

  'confirm.title': '{client} に進みますか？',
  'confirm.lead':
    'このデバイス上のプログラムがアカウントの使用を求めており、<b>{host}</b> で応答を受け取ります。このアプリを開いた覚えがない場合は、キャンセルしてください。',
  'confirm.cancel': 'キャンセル',

  'logout.title': '{tenant} からログアウトしますか？',
  'logout.lead': '{identifier} としてログインしています。',
  'logout.applications': 'このログインで開いたアプリケーションからもログアウトします。',
  'logout.return': 'その後、<b>{host}</b> に戻ります。',
  'logout.no_return':
    'アプリケーションからの要求であることを確認できなかったため、アプリケーションには戻りません。',
  'logout.submit': 'ログアウト',
  'logout.stay': 'ログインしたままにする',
  'logout.done': 'ログアウトしました',
  'logout.told': '次のアプリケーションには通知済みです：',
  'logout.waiting': '次のアプリケーションはまだ応答していません：',
  'logout.again': '応答を確認する',
  'logout.failed': '次のアプリケーションは応答しませんでした。それぞれでログアウトしてください：',
  'logout.not_told': '次のアプリケーションには通知されません。それぞれでログアウトしてください：',
  'logout.stayed': 'ログインしたままです',
  'logout.close': 'このページを閉じてください。',
};
