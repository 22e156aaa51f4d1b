import type { ERRORS as English } from '../en/errors.ts';
import type { Translated } from '../keys.ts';

export const ERRORS: Translated<typeof English> = {
  'error.tenant_not_found.title': 'ページが見つかりません',
  'error.tenant_not_found':
    'このアドレスの組織はありません。アドレスを確認するか、元のページに戻ってください。',
  'error.tenant_inactive.title': 'この組織は現在利用できません',
  'error.tenant_inactive': 'ログインできません。組織の管理者にお問い合わせください。',
  'error.form_too_old.title': 'このページは古くなっています',
  'error.form_too_old': 'アプリケーションに戻り、もう一度ログインしてください。',
  'error.cookie_refused.title': 'ブラウザーが Cookie を拒否しました',
  'error.cookie_refused':
    'ログインが完了するまで Cookie が必要です。このサイトの Cookie を許可してから、アプリケーションに戻り、もう一度ログインしてください。',
  'error.origin_refused.title': 'このフォームは別のサイトから送信されました',
  'error.origin_refused':
    '何も実行されていません。アプリケーションに戻り、もう一度ログインしてください。',
  'error.request_invalid.title': 'このアプリケーションではログインできません',
  'error.request_invalid':
    'リクエストに誤りがあるため、アプリケーションには何も返していません。アプリケーションの管理者にお知らせください。',
  'error.oauth_off.title': 'ここではアプリケーションからログインできません',
  'error.oauth_off': 'この組織では無効になっています。組織の管理者にお問い合わせください。',
  'error.issuer_elsewhere.title': 'ログインは別のアドレスで行います',
  'error.issuer_elsewhere': 'アプリケーションに戻り、もう一度ログインしてください。',
  'error.provider_refused.title': 'ログインを確認できませんでした',
  'error.provider_refused':
    '時間がかかりすぎたか、すでに使用されています。アプリケーションに戻り、もう一度ログインしてください。',
  'error.address_incomplete.title': 'アドレスが不完全です',
  'error.address_incomplete': 'アプリケーションに戻り、もう一度ログインしてください。',
  'error.unavailable.title': 'しばらくお待ちください',
  'error.unavailable':
    'サービスが再起動中か、大変混み合っています。少し待ってからページを再読み込みしてください。',
  'error.internal.title': '問題が発生しました',
  'error.internal':
    'お客様の操作が原因ではありません。もう一度お試しください。解決しない場合は、下の番号をこのサービスの管理者にお知らせください。',
  'error.wait': '{minutes, plural, other {# 分後}}にもう一度お試しください。',
};
