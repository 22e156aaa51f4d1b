import type { LOGIN as English } from '../en/login.ts';
import type { Translated } from '../keys.ts';

export const LOGIN: Translated<typeof English> = {
  'action.continue': '続ける',
  'action.log_in': 'ログイン',
  'action.send_code': 'コードを送信',
  'action.start_again': '最初からやり直す',
  'action.another_account': '別のアカウントを使う',
  'action.back_to_login': 'ログインに戻る',
  'action.log_in_differently': '別の方法でログイン',
  'field.identifier': 'メールアドレスまたは電話番号',
  'field.email': 'メールアドレス',
  'field.password': 'パスワード',
  'field.new_password': '新しいパスワード',
  'field.code': 'コード',
  'footer.terms': '利用規約',
  'footer.privacy': 'プライバシー',
  'footer.language': '言語',

  'login.title': 'ログイン',
  'login.confirm_title': '本人確認',
  'login.lead': '<b>{client}</b> に進みます',
  'login.own_pages': 'アカウント',
  'login.passkey': 'パスキーを使う',
  'login.code_instead': '代わりにコードを受け取る',
  'login.forgot_password': 'パスワードをお忘れですか？',
  'login.create_account': 'アカウントを作成',
  'login.provider': '{provider} で続ける',
  'login.more_providers': 'その他のログイン方法',
  'login.last_used': '前回使用',
  'login.no_way': 'ここから先に進む方法がありません。',
  'login.linking':
    'このアドレスのアカウントはすでにあります。一度そのアカウントにログインすると、今回ログインした方法でも利用できるようになります。',

  'code.title': 'コードでログイン',
  'code.lead': 'アカウントがある場合、アドレス宛てにコードを送信します。',
  'recovery.title': 'アカウントの復旧',
  'recovery.lead':
    'アカウントがある場合、アドレス宛てにコードを送信します。その後、新しいパスワードを設定します。',
  'registration.title': 'アカウントの作成',
  'registration.lead_code': 'アドレス宛てにコードを送信します。',
  'registration.lead': '<b>{tenant}</b> のアカウント',
  'registration.submit': 'アカウントを作成',

  'step.check_mail': 'メールをご確認ください',
  'step.check_phone': '電話をご確認ください',
  'step.new_password': '新しいパスワードの設定',
  'step.enrol': 'アカウントの保護',
  'step.second': '2 段階目の確認',
  'step.linking': 'アカウントはすでにあります',
  'step.confirm_address': 'アドレスの確認',
  'step.send': 'コードを受け取る',
  'step.send_again': 'もう一度送信',
  'step.sent':
    'アカウントがある場合、{address} 宛てにメッセージを送信しています。有効期限は 10 分です。',
  'step.totp': '認証アプリのコード',
  'step.save_password': '保存して続ける',
  'step.enrol_text':
    'ここでログインするには、もう一つの認証要素が必要です。いつも手元にあるものを追加してください。',
  'step.use_recovery_code': 'リカバリーコードを使う',
  'step.recovery_code': 'リカバリーコード',
  'step.use_it': '使用する',

  'passkey.add': 'パスキーを追加',
  'passkey.lead': 'ブラウザーまたはデバイスの案内に従ってください。',
  'passkey.ask_again': 'もう一度試す',
  'passkey.none': 'このアカウントのパスキーがないか、操作がキャンセルされました。',
  'passkey.not_made': 'パスキーが作成されなかったか、操作がキャンセルされました。',
  'passkey.needs_script': 'パスキーには JavaScript が必要ですが、現在無効になっています。',
  'totp.add': '認証アプリを追加',
  'totp.key':
    'アプリでこのコードを読み取るか、キーをアプリに追加するか、<link>このデバイスのアプリで開いて</link>ください：',
  'totp.qr': 'キーの QR コード',
  'totp.code': 'アプリに表示されるコード',
  'codes.title': 'リカバリーコード',
  'codes.lead':
    'アプリを失くしたとき、それぞれ一度だけログインに使えます。表示されるのは今だけです。安全な場所に保管してください。',
  'codes.kept': '保管しました。続ける',
  'codes.next_title': '次のリカバリーコード',
  'codes.next_lead':
    '使用したコードは無効になりました。代わりにこのコードをお使いください。表示されるのは今だけです。',
  'codes.next_kept': '保管しました。続ける',

  'invitation.title': '{tenant} に参加',
  'invitation.lead': '{tenant} に招待されています。',
  'invitation.lead_by': '<b>{inviter}</b> さんから {tenant} に招待されています。',
  'invitation.for': '招待されたアドレス: {identifier}',
  'invitation.accept': '続ける',
  'invitation.unexpected':
    '心当たりがない場合は、このページを閉じてください。まだ何も行われていません。',
  'invitation.step': 'この操作で {tenant} への招待を承諾します。',
  'invitation.expired_title': 'この招待は期限切れです',
  'invitation.expired': '招待した人に、もう一度招待するよう依頼してください。',
  'invitation.revoked_title': 'この招待は取り消されました',
  'invitation.revoked': '招待した人にお問い合わせください。',
  'invitation.accepted_title': 'この招待はすでに使用されています',
  'invitation.accepted':
    'ご自身が使用した場合は、ログインしてください。心当たりがない場合は、招待した人にお知らせください。',
  'invitation.unknown_title': 'この招待は存在しません',
  'invitation.unknown': 'アドレスが完全か確認するか、招待した人にお問い合わせください。',

  'undo.title': 'アカウントの変更を取り消しますか？',
  'undo.lead':
    '{tenant} のアカウントのアドレスは変更前の状態に戻り、すべての端末からログアウトされます。',
  'undo.proof':
    'ご本人であることを確認するため、変更前のアカウントのパスワードを入力してください：',
  'undo.or_code': 'または、当時使っていた認証アプリのコードを入力してください：',
  'undo.submit': '変更を取り消す',
  'undo.unexpected': 'ご自身で変更した場合は、このページを閉じてください。変更は取り消されません。',
  'undo.passkey': 'ご本人であることを確認するため、変更前のアカウントのパスキーを使ってください：',
  'undo.or_passkey': 'または、当時使っていたパスキーを使ってください：',
  'undo.lost':
    '変更前にアカウントを保護していたログイン方法は削除されています。{tenant} にお問い合わせください。',
  'undo.wrong': '変更前のアカウントのものと一致しません。もう一度お試しください。',
  'undo.done_title': '変更を取り消しました',
  'undo.done':
    'アドレスは元に戻り、すべての端末からログアウトされました。ログインし、パスワードが他人に知られている場合に備えて新しいパスワードを設定してください。',
  'undo.ended_title': 'このリンクは無効になりました',
  'undo.ended':
    '変更がすでに取り消されたか、7日以上経過したか、その後にログインされています。アカウントのアドレスを確認するにはログインしてください。',

  'first_login.title': 'コンソールにログイン',
  'first_login.as': 'このインストールの管理者 <b>{identifier}</b> としてログインします。',
  'first_login.once': 'リンクは、最初の起動から1時間以内に1回だけ使えます。',
  'first_login.ended':
    'リンクは、最初の起動から1時間以内、サービスが停止するまでの間に1回だけ使えます。リンクと一緒に表示されたパスワードでログインしてください。',

  'link.title': 'ログインを続ける',
  'link.lead': '{address} として <b>{client}</b> に進みます',
  'link.elsewhere_title': '始めたブラウザーで続けてください',
  'link.elsewhere':
    'このメッセージは{minutes, plural, =0 {たった今} other { # 分前に}}、<b>{browser}</b> から要求されました。リンクはそのブラウザーでのみ使えます。',
  'link.if_you': 'ご本人の場合は、そのブラウザーでメッセージのコードを入力してください。',
  'link.if_not_you':
    'お心当たりがない場合は、コードを誰にも教えずに、このページを閉じてください。何も起きていません。',
  'link.ended_title': 'このリンクは無効です',
  'link.ended':
    'リンクは 10 分間、一度だけ使えます。アプリケーションに戻り、もう一度リンクを要求してください。',
  'browser.unknown': '別のブラウザー',
  'browser.on': '{browser}（{system}）',

  'leave.title': 'お待ちください',
  'leave.back': '<link>{host}</link> に戻ります。',
  'leave.provider': '<link>{host}</link> でログインします。',
  'leave.continue': '{host} に進む',
  'start_again.title': 'このログインは続行できません',
  'start_again.lead':
    'リンクを開くのが遅すぎたか、2 回以上開いたか、アプリケーションが正しくないリクエストを送信しました。何も変更されていません。アプリケーションに戻り、最初からやり直してください。',
  'stopped.title': 'アプリケーションを続行できません',
  'stopped.lead':
    'アプリケーションには何も共有されず、何も変更されていません。このアプリケーションにアカウントの使用を許可したことはありません。',
  'stopped.host':
    'アプリケーションは <b>{host}</b> に移動するよう求めています。このアドレスは確認されていません。ご存じの場合にのみ進んでください。',
  'too_old.title': 'このページは古くなっています',
  'too_old.lead': '何も実行されていません。最初からやり直せます。',
  'too_old.again': '最初からやり直す',

  'home.title': 'ようこそ',
  'home.console': 'コンソール',
  'home.console_about': 'ユーザー、アプリケーション、設定を管理します。',
  'home.account': 'アカウント',
  'home.account_about': 'プロフィール、ログイン方法、セッション。',
  'home.reference': 'APIリファレンス',
  'home.reference_about': 'すべてのエンドポイントとそのフィールド、エラー。',
  'home.docs': 'ドキュメント',
  'home.docs_about': 'ガイドはソースコードの {folder} フォルダーにあります。',
};
