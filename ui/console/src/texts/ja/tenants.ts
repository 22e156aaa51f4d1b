import type { tenants as english } from '../en/tenants.ts';
import type { Translation } from '../format.ts';

export const tenants: Translation<typeof english> = {
  tenants: 'テナント',
  installation: 'インストール',
  searchTenants: '名前、ID、ドメインの一部',
  tenantsEmpty: 'テナントは、ほかのどの組織からも隔離された組織です。',
  tenantCreate: 'テナントを作成',
  tenantCreateHint: '鍵、ワークスペース、admin と member のロールとともに、すぐに使えます。',
  tenantIdNever: 'ID は短い名前から作られ、変わることはありません。',
  tenantIdWillBe: '変わることのない ID：',
  setUpNamed: '{name} の設定',
  skipStep: 'スキップ',
  moreThan: '{count} 件超',
  auditEntries: '監査記録',
  suspend: '停止',
  suspendTitle: '{name} を停止しますか？',
  suspendHint:
    'すべてのノードがその認証情報をただちに拒否し、セッションは終了します。再開後、ユーザーはログインし直します。期限内の API キーは再び使えます。',
  suspended: '{name} を停止しました。',
  activate: '再開',
  activateTitle: '{name} を再開しますか？',
  activateHint: 'ユーザーは再びログインできます。以前のセッションは終了したままです。',
  activated: '{name} を再開しました。',
  deleteTenantHint: '元に戻せません。ID が再び空くこともありません。一緒に失われるもの：',
  deleteTenantKey:
    'まずデータ鍵が破棄されます。署名鍵、Webhook・プロバイダー・メールサーバーの秘密、認証アプリの秘密は二度と復号できません。',
  dnsTitle: 'DNS に必要な設定',
  dnsHint:
    'DNS がこのサービスを指し、プロキシに証明書があれば、これらのホストへの要求はこのテナントのものになります。そのときリンク先にはこのテナントが表示されます。',
  dnsApex:
    'ゾーンの頂点に CNAME は置けません。代わりに、対象の A と AAAA レコードを設定してください。',
  openDomain: '開く',
  domainsEmpty:
    'ドメインはまだありません。クライアントは X-Tenant-ID ヘッダーでテナントを指定します。',
  discovery: 'ディスカバリー',
  keySet: '鍵セット',
  issuerHint:
    '検証側はバイト単位で比較します。変更後は以前に発行されたトークンが拒否され、すべてのアプリケーションに新しい値が必要です。',
  tenantAuditHint:
    'システム管理者がここから行った操作です。テナント自身の記録はテナントの中にあります。',
  'setup.create': '名前とドメイン',
  'setup.branding': '外観',
  switchTenant: 'テナントを切り替える',
  recentTenant: '最近',
  insideLabel: '別のテナントの中',
  insideBar: '{time} まで {who} として {tenant} の中：{reason}',
  insideEnd: '退出',
  insideTitle: '中に入る：',
  insideHint:
    'そこでは管理者として操作します。最長 15 分です。理由は両方のテナントの監査ログに残ります。',
  goInside: '中に入る',
  firstAdministrator: '最初の管理者',
  firstAdministratorHint: 'このテナントですべてを行える admin ロールが与えられます。',
  byInvitation: '招待',
  byPassword: 'パスワード',
  inviteAdministrator: '招待する',
  'setup.administrator': '管理者',
};
