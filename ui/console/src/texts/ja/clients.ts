import type { clients as english } from '../en/clients.ts';
import type { Translation } from '../format.ts';

export const clients: Translation<typeof english> = {
  // What an application needs
  clientCode: 'コード',
  // Whether a redirect URI is accepted
  redirectCheck: 'リダイレクト URI を確認',
  redirectSent: 'アプリケーションが redirect_uri として送る値',
  redirectHint: 'このブラウザーの中で比較します。何も送信しません。',
  redirectAccepted: '受け付けます',
  redirectRefused: '拒否されます',
  'redirect.accepted': '1 文字も違わずに登録されています。',
  'redirect.anyPort':
    '登録されています。ネイティブのクライアントは、ループバックアドレスの任意のポートを使えます。',
  'redirect.differs': '1 文字ずつ比較され、次の点が異なります:',
  'redirect.noneRegistered': 'リダイレクト URI が登録されていません。',
  'redirect.encoded': 'パーセントエンコードされています。エンコード前の値を貼り付けてください。',
  'redirect.notAddress': 'https://app.example.com/callback のような絶対アドレスではありません。',
  redirectNearest: '最も近い登録済みの値:',
  'part.scheme': 'スキーム',
  'part.user': 'ユーザー名',
  'part.host': 'ホスト',
  'part.port': 'ポート',
  'part.path': 'パス',
  'part.slash': '末尾のスラッシュ',
  'part.case': '大文字と小文字',
  'part.query': 'クエリ',
  'part.fragment': 'フラグメント',
  redirectYours: '送信:',
  redirectTheirs: '登録:',
  redirectPortHint:
    '任意のポートを使えるのは、http のループバックアドレスに戻るネイティブのクライアントだけです。',
  redirectFragmentHint: 'リダイレクト URI にフラグメントは使えません。',
  // Code of an application
  snippetFor: 'フレームワーク',
  'snippet.express': 'Express',
  'snippet.nextjs': 'Next.js (Auth.js)',
  'snippet.spring': 'Spring Boot',
  'snippet.openid': '任意のサーバー (openid-client)',
  'snippet.spa': 'サーバーのないページ',
  'snippet.native': '端末上のプログラム',
  'snippet.device': 'ブラウザーのない機器',
  snippetUnfit: '別の種類、または別のグラントのクライアント向けです。',
  snippetInstall: 'インストールするパッケージ:',
  snippetUnregistered: '先にこのリダイレクト URI を登録してください:',
  // Who allowed it
  allowedBy: '許可したユーザー',
  allowedByEmpty: 'まだどのユーザーも許可していません。',
  // What an application is
  appKinds: 'どのようなアプリケーションですか?',
  'app.web': 'ウェブアプリケーション',
  'app.spa': 'サーバーのないページ',
  'app.native': 'ネイティブアプリ',
  'app.device': '機器またはコマンドライン',
  'app.machine': 'マシン',
  'app.document': 'MCP クライアントなど、ドキュメントを持つソフトウェア',
  'purpose.web':
    'シークレットを保管できるサーバー上で動きます: Express、Next.js、Spring、Rails、PHP。',
  'purpose.spa': 'ブラウザーだけで動き、シークレットはありません。ログインは PKCE で守られます。',
  'purpose.native':
    'ユーザーの端末上で動き、ログインにはシステムのブラウザーを開きます。シークレットはありません。',
  'purpose.device': 'ブラウザーがありません。ユーザーは別の端末で短いコードを入力します。',
  'purpose.machine':
    'ユーザーのいないサービスやジョブです。API キーか独自の証明を持つエージェントになります。',
  'purpose.document':
    '登録は不要です。クライアント ID は、MCP クライアントのように自身を説明するドキュメントの https アドレスです。どのホストに認めるかを決めてください。',
  documentsAdmitted: 'ドキュメントを認める相手',
  documentsElse: 'ウェブサイトのないソフトウェアは、次を使って自身を登録します:',
  // Fields
  'name.first_party': '自社のアプリケーション',
  'name.post_logout_redirect_uris': 'ログアウト後のリダイレクト URI',
  'name.token_endpoint_auth_method': 'トークンエンドポイントでの認証',
  'name.backchannel_logout_uri': 'バックチャネルログアウトの URI',
  'name.oauth_client_domains': 'クライアントドキュメントのホスト',
  'name.oauth_metadata_documents': '認めるクライアントドキュメント',
};
