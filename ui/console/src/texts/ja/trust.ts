import type { trust as english } from '../en/trust.ts';
import type { Translation } from '../format.ts';

export const trust: Translation<typeof english> = {
  // How an agent authenticates
  trust: '鍵と発行者',
  publicKeys: '公開鍵',
  publicKeysEmpty:
    'ありません。鍵ペアを使えば、エージェントは送信内容に署名し、秘密はそのマシンに残ります。',
  publicKeyRemoveTitle: '公開鍵 {name} を削除しますか?',
  publicKeyRemoveHint: 'この鍵の署名と、エージェントの既存のトークンは直ちに拒否されます。',
  issuersTrusted: '信頼する発行者',
  issuersEmpty:
    'ありません。CI ジョブや Pod は、すでに持つトークンで認証でき、秘密を保存する必要がありません。',
  audience: '対象者 (aud)',
  tokenSubject: '主体 (sub)',
  claims: 'クレーム',
  singleUse: 'トークンは一度だけ',
  issuerRemoveTitle: '{name} の信頼を解除しますか?',
  issuerRemoveHint:
    'この発行者のトークンでは認証できなくなり、エージェントの既存のトークンは直ちに拒否されます。',
  reach: '影響範囲',
  // Keys
  overlap: '現在のキーが使える期間',
  overlapNone: '直ちに失効',
  days: { other: '{count} 日' },
  leak: '漏えいしたキーを報告',
  leakHint:
    'あってはならない場所で見つかったキーを貼り付けてください。有効なら直ちに失効します。ここには保存されません。',
  leakKey: 'キー',
  leakReport: '報告して失効',
  leakFound: '失効しました。該当するキー:',
  leakUnknown: '報告しました。このテナントの有効なキーではありませんでした。',
};
