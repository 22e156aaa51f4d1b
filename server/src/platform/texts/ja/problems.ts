import type { PROBLEMS as English } from '../en/problems.ts';
import type { Translated } from '../keys.ts';

export const PROBLEMS: Translated<typeof English> = {
  'problem.credentials': 'アカウントまたはパスワードが正しくありません。',
  'problem.code': 'コードが正しくないか、有効期限が切れています。',
  'problem.passkey':
    'このパスキーは受け付けられませんでした。もう一度試すか、別の方法でログインしてください。',
  'problem.ended': 'このログインは終了しました。最初からやり直してください。',
  'problem.elsewhere': 'このログインは別の場所で進められました。最初からやり直してください。',
  'problem.busy': 'サービスが混み合っています。しばらくしてからもう一度お試しください。',
  'problem.taken':
    'このアドレスのアカウントはすでにあります。そのアカウントにログインしてください。',
  'problem.link_elsewhere':
    'このリンクは別のログインのものです。そちらでメッセージのコードを入力してください。',
  'problem.provider':
    '外部でのログインを確認できませんでした。もう一度試すか、別の方法でログインしてください。',
  'problem.provider_declined':
    '外部でログインしませんでした。もう一度試すか、別の方法でログインしてください。',
  'problem.provider_unknown': 'その外部アカウントでは、ここにログインできません。',
  'problem.destination': 'この番号にはメッセージを送信できません。別の方法でログインしてください。',
  'problem.attempts': '試行回数が多すぎます。',
  'problem.messages': 'メッセージの回数が多すぎます。',
  'problem.incomplete': '入力に不足または誤りがあります。',
  'problem.typed': '入力内容をご確認ください：{problem}',
  'typed.address': 'メールアドレス、または {example} のような電話番号を入力してください。',
  'typed.own_address': 'ご自身のアドレスのいずれかを入力してください。',
  'typed.too_long': '{count} 文字以内にしてください。',
  'typed.too_short': '{count} 文字以上にしてください。',
  'typed.special': '文字でも数字でもない記号も使ってください。',
  'typed.name': 'お名前やサービス名とほとんど同じです。別のものにしてください。',
  'typed.common': 'よく使われるパスワードです。別のものにしてください。',
  'typed.breached': '他のサービスから流出したことのあるパスワードです。別のものにしてください。',
  'problem.wait': '{problem}{minutes, plural, other {# 分後}}にもう一度お試しください。',
};
