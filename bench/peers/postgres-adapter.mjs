// Storage for what oidc-provider issues: one table, like its example adapters for other stores. The models that a
// refresh uses are read and written only by their primary key.

import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

const TABLE = `
CREATE TABLE IF NOT EXISTS oidc_payloads (
  model text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  payload jsonb NOT NULL,
  grant_id text COLLATE "C",
  uid text COLLATE "C",
  user_code text COLLATE "C",
  expires_at timestamptz,
  consumed_at timestamptz,
  PRIMARY KEY (model, id)
);
CREATE INDEX IF NOT EXISTS oidc_payloads_by_grant ON oidc_payloads (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS oidc_payloads_by_uid ON oidc_payloads (uid) WHERE uid IS NOT NULL;
CREATE INDEX IF NOT EXISTS oidc_payloads_by_user_code ON oidc_payloads (user_code) WHERE user_code IS NOT NULL;`;

const FOUND = `
SELECT payload, extract(epoch FROM consumed_at)::integer AS consumed FROM oidc_payloads
 WHERE model = $1 AND`;
const ALIVE = 'AND (expires_at IS NULL OR expires_at > now())';

export async function createTable() {
  await pool.query(TABLE);
}

export class PostgresAdapter {
  constructor(model) {
    this.model = model;
  }

  async upsert(id, payload, expiresIn) {
    await pool.query({
      name: 'upsert',
      text: `INSERT INTO oidc_payloads (model, id, payload, grant_id, uid, user_code, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
             ON CONFLICT (model, id) DO UPDATE SET payload = EXCLUDED.payload,
               grant_id = EXCLUDED.grant_id, uid = EXCLUDED.uid, user_code = EXCLUDED.user_code,
               expires_at = EXCLUDED.expires_at`,
      values: [
        this.model,
        id,
        payload,
        payload.grantId ?? null,
        payload.uid ?? null,
        payload.userCode ?? null,
        expiresIn ?? null,
      ],
    });
  }

  find(id) {
    return this.findBy('id', id);
  }

  findByUid(uid) {
    return this.findBy('uid', uid);
  }

  findByUserCode(userCode) {
    return this.findBy('user_code', userCode);
  }

  async findBy(column, value) {
    const { rows } = await pool.query({
      name: `find by ${column}`,
      text: `${FOUND} ${column} = $2 ${ALIVE}`,
      values: [this.model, value],
    });
    const [row] = rows;
    return row && { ...row.payload, ...(row.consumed === null ? {} : { consumed: row.consumed }) };
  }

  /** Of several concurrent calls, one succeeds. */
  async consume(id) {
    const { rowCount } = await pool.query({
      name: 'consume',
      text: `UPDATE oidc_payloads SET consumed_at = now()
              WHERE model = $1 AND id = $2 AND consumed_at IS NULL`,
      values: [this.model, id],
    });
    if (rowCount === 0) throw new Error('It was used before.');
  }

  async destroy(id) {
    await pool.query('DELETE FROM oidc_payloads WHERE model = $1 AND id = $2', [this.model, id]);
  }

  async revokeByGrantId(grantId) {
    await pool.query('DELETE FROM oidc_payloads WHERE grant_id = $1', [grantId]);
  }
}
