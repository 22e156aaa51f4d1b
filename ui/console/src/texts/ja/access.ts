import type { access as english } from '../en/access.ts';
import type { Translation } from '../format.ts';

export const access: Translation<typeof english> = {
  // Explain
  explain: '説明',
  explainHint: '誰が何をできるか、なぜか。判断のつながりを順に示し、拒否した箇所に印を付けます。',
  explainWhom: 'ユーザーまたはエージェント: ID かメールアドレス',
  explainAsk: '説明する',
  explainAllowed: '許可',
  explainRefused: '拒否',
  explainNobody: 'このアドレスのユーザーはいません。',
  explainOpen: '未到達',
  explainHolds: '通過',
  explainRefuses: 'ここで拒否',
  'link.user': 'ユーザー',
  'link.agent': 'エージェント',
  'link.workspace': 'ワークスペース',
  'link.role': 'ロール',
  'link.nothing': '付与するロールもスコープもありません',
  'link.scope': '権限',
  explainBy: '{scope} により',
  explainRemoved: '次の変更で失われました:',
  // Roles
  matrix: '一覧表',
  matrixEmpty: 'なし',
  compare: '比較',
  compareFirst: '1 つ目のロール',
  compareSecond: '2 つ目のロール',
  compareOnly: '{name} のみ',
  compareBoth: '両方',
  whatIf: '変更の影響',
  whatIfNobody: 'このロールを持つユーザーはまだいません。',
  whatIfCount: {
    other:
      '{count} 人のユーザーがこのロールを持っています。トークンは拒否され、更新すると新しいものが発行されます。',
  },
  whatIfAgents:
    'エージェントは自身のスコープを持ち、変わりません。ユーザーが委任した分は、そのユーザーの権限に従います。',
  gains: '得るもの',
  loses: '失うもの',
  // Bulk actions on users
  select: '{name} を選択',
  selected: { other: '{count} 件選択中' },
  selectPage: 'このページを選択',
  clearSelection: '選択を解除',
  giveRole: 'ロールを付与',
  bulkTitle: { other: '{verb}: {count} 人のユーザー' },
  bulkDependents: 'あわせて終了するもの(合計):',
  bulkProgress: '{count} 件中 {done} 件',
  bulkDone: { other: '完了: {count} 人のユーザー。' },
  bulkFailed: { other: '{count} 件失敗し、選択されたままです:' },
  columnsShown: '列',
  // A user
  consents: '連携アプリ',
  consentsEmpty: '許可されたアプリはありません。',
  application: 'アプリ',
  consentEnd: '連携を解除',
  consentEndTitle: '{name} の連携を解除しますか?',
  consentEndHint: 'このユーザーのセッションは直ちに終了し、再度許可が必要になります。',
  consentEnded: '{name} の連携を解除しました。',
  delegationsEmpty: '有効な委任はありません。',
  recoverSend: '復旧リンクを送信',
  recoverTitle: '{name} に復旧リンクを送信しますか?',
  recoverHint:
    '最初の確認済みアドレスに送られます。第二要素があればその確認後に、新しいパスワードを設定できます。それまでは何も変わりません。',
  recoverSent: '{address} に送信しました。',
};
