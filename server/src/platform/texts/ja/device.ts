import type { DEVICE as English } from '../en/device.ts';
import type { Translated } from '../keys.ts';

export const DEVICE: Translated<typeof English> = {
  'device.title': 'デバイスを接続',
  'device.lead': 'デバイスに表示されているコードを入力してください。',
  'device.lead_given':
    'このコードを、デバイスに表示されているコードと見比べてください。そのデバイスが目の前にある場合にのみ続けてください。',
  'device.code': 'デバイスのコード',
  'device.continue': '続ける',
  'device.warning':
    '誰かからコードが送られてきた場合は、このページを閉じてください。その人があなたとしてログインしてしまいます。',
  'device.wrong':
    'このコードで待機しているデバイスはありません。有効期限が切れている可能性があります。デバイスで最初からやり直してください。',
  'device.asks': 'デバイスからの要求',
  'device.shows': 'デバイスにはコード <b>{code}</b> が表示されています。',
  'device.begun':
    '{minutes, plural, =0 {たった今} other { # 分前に}}、アドレス <b>{address}</b> から要求されました。',
  'device.check': '目の前にあるデバイスでご自身が始めた場合にのみ許可してください。',
  'device.done_title': 'デバイスが接続されました',
  'device.done': '数秒以内にデバイスでログインします。このページを閉じてください。',
  'device.denied_title': 'デバイスは接続されていません',
  'device.denied': '何も許可されていません。このページを閉じてください。',
  'device.over_title': 'このコードはもう使えません',
  'device.over':
    '有効期限が切れたか、すでに回答されています。デバイスで最初からやり直してください。',
  'device.refused': 'このアカウントでは、デバイスの要求を許可できません。',
};
