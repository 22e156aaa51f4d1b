import type { machines as english } from '../en/machines.ts';
import type { Translation } from '../format.ts';

export const machines: Translation<typeof english> = {
  // Agents
  agentsEmpty: 'エージェントとは、独自の権限を持つプログラムです。',
  workspace: 'ワークスペース',
  owner: '所有者',

  // Agents and their keys
  agent: 'エージェント',
  agentCreate: 'エージェントを作成',
  enableAgentHint: '期限の切れていないキーが再び使えるようになります。',
  disableAgentHint: '再び有効にするまで、キーもトークンも使えません:',
  deleteAgentHint: 'キーと、このエージェントへの委任も削除されます。元に戻せません。',
  apiKeyCreate: 'API キーを作成',
  apiKeysEmpty:
    'キーはまだありません。キーは、エージェントが API を呼び出すためのシークレットです。',
  allOfAgent: 'エージェントのすべて',
  addresses: 'アドレス',
  rotateKeyHint: '新しいキーが作成され、一度だけ表示されます。',
  revokeKeyHint: '次のリクエストから拒否されます。自ら検証するサービスにも数秒で伝わります。',

  // Signing keys
  signingKeysHint: '各サービスが自ら検証するトークンに署名します。',
  algorithm: 'アルゴリズム',
  signsFrom: '署名開始',
  'key.next': '次の鍵',
  'key.current': '署名中',
  'key.previous': '前の鍵',
  'key.retired': '廃止',
  rotateSigningHint: '新しい鍵が今公開され、すべての検証者が知った時点で署名を始めます。',
  rotateNow: '直ちにローテーション',
  rotateNowTitle: '{name} を直ちにローテーションしますか?',
  rotateNowHint:
    '漏えいした鍵のための操作です。新しい鍵が直ちに署名します。古い鍵セットを持つ検証者は、取得し直すまでそのトークンを拒否します。',
  retire: '廃止',
  retireTitle: 'この鍵を廃止しますか?',
  retireHint:
    'この鍵が署名したトークンはすべて今から拒否され、秘密鍵は破棄されます。セッションは更新によって続きます。',
  retired: '鍵を廃止しました。',

  // OAuth clients
  clientCreate: 'クライアントを登録',
  clientsEmpty: 'クライアントとは、ユーザーがログインするアプリケーションです。',
  'group.security': 'セキュリティとトークン',
  'group.about': 'ユーザーに表示',
  redirectUris: 'リダイレクト URI',
  'client.web': 'ウェブ (サーバー上)',
  'client.spa': 'ブラウザー上',
  'client.native': '端末上',
  secrets: 'シークレット',
  secretsEmpty: 'シークレットはありません。',
  secretCreate: 'シークレットを作成',
  secretCreateTitle: 'シークレットを追加しますか?',
  secretCreateHint: 'ローテーションのための操作です。一方を削除するまで両方が使えます。',
  secretCreated: 'シークレットを作成しました。',
  secretDeleteTitle: 'このシークレットを削除しますか?',
  secretDeleteHint: '次のリクエストから拒否されます。',
  secretDeleted: 'シークレットを削除しました。',
  deleteClientHint:
    'シークレットとユーザーの同意も削除され、セッションは終了します。元に戻せません。',

  // Webhooks
  webhookCreate: 'Webhook を登録',
  webhooksEmpty: 'Webhook とは、イベントの送信先アドレスです。',
  address: 'アドレス',
  events: 'イベント',
  event: 'イベント',
  failing: '失敗中',
  failingSince: '失敗し始めた日時',
  disabledByService: 'サービスが無効化',
  disabledReason: 'サービスが無効化した理由',
  overlapEnds: '前のシークレットの有効期限',
  deliveries: '配信',
  deliveriesEmpty: 'まだ何も送信されていません。',
  'delivery.pending': '待機中',
  'delivery.delivered': '配信済み',
  'delivery.failed': '失敗',
  attempts: '試行回数',
  answer: '応答',
  lastAttempt: '前回の試行',
  attempt: '試行',
  tookMs: '{ms} ミリ秒',
  nextAttempt: '次回の試行',
  webhookTest: 'テストを送信',
  webhookTestTitle: 'テストイベントを送信しますか?',
  webhookTestHint:
    'webhook.test イベントをこのアドレスだけに送信します。結果は配信に表示されます。',
  webhookTested: 'テストイベントを送信待ちに入れました。',
  webhookRotate: 'シークレットをローテーション',
  webhookRotateHint:
    '新しいシークレットが作られ、一度だけ表示されます。以前のものが終わるまで両方で署名します。',
  deleteWebhookHint: '以後は何も送信されず、配信も読めなくなります。',
  sendAgain: '再送',
  sendAgainTitle: 'このイベントを再送しますか?',
  sendAgainHint: '結果にかかわらず、最初の試行からやり直します。',
  sentAgain: 'イベントを送信待ちに入れました。',
  replayAfter: 'ここから再送',
  replayTitle: 'このイベントより後のすべてを再送しますか?',
  replayHint: 'Webhook が購読しているイベントを、順番に最大 1,000 件再送します。',
  replayed: { other: '{count} 件のイベントを送信待ちに入れました。' },
  replayMore: 'まだ残りがあります。最後のイベントから再送してください。',
};
