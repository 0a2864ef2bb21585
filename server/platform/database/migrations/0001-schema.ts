import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

/**
 * Closed sets of words, each a table that its columns refer to: a new word is one INSERT of a later migration. The code has
 * the same lists (server/platform/database/words.test.ts compares them).
 */
const words = {
  role_words: 'user agent',
  order_type_words: 'TO_MINA FROM_MINA TO_AND_FROM_MINA',
  order_status_words: 'PENDING_PAYMENT PAID EXPIRED REFUNDED CANCELLED',
  hand_over_words: 'none some all',
  booking_state_words: 'none waiting labelling issued canceled',
  travel_state_words: 'HANDED_OVER IN_TRANSIT AT_BRANCH COLLECTED EXCEPTION CANCELLED',
  booking_event_words:
    'handed-over hand-over-undone picked-up in-transit at-branch collected exception returning cancelled unknown',
  booking_event_source_words: 'agent courier system',
  scan_outcome_words: 'received already-received refused',
  scan_alert_words: 'damaged destroyed missing cancelled returning contradiction',
  attempt_state_words: 'creating open unknown superseded failed succeeded',
  payment_event_words: 'pending succeeded failed refunded voided captured',
  payment_event_source_words: 'callback inquiry',
  payment_outcome_words:
    'applied noted second-payment owner-deleted order-cancelled amount-mismatch reference-mismatch unknown-order partial-refund',
  refund_state_words: 'due uncertain asked done',
  refund_reason_words: 'wrong-amount second-payment owner-deleted cancelled operator',
  receipt_words: 'receipt invoice refund-receipt credit-note',
  message_words: 'paid handed-over at-branch collected refunded exception cancelled wrong-amount',
  message_state_words: 'waiting uncertain accepted delivered failed dropped',
  push_state_words: 'asked accepted failed',
  challenge_state_words: 'sent proven spent',
  code_event_words: 'send check',
  code_outcome_words: 'unanswered answered joined refused failed wrong right',
  device_trust_words: 'open known',
} as const

/**
 * `$id`: a number that is given once, even if its row was deleted; `$bytes`; `$word(<table>)`: one of its words; `$work`: the
 * columns of leases.ts.
 */
const tables = `
CREATE TABLE liveness (id integer PRIMARY KEY NOT NULL, writes bigint NOT NULL);

CREATE TABLE users (
  $id,
  phone text NOT NULL UNIQUE,
  name text NOT NULL,
  created_at bigint NOT NULL,
  deleted_at bigint,
  language text,
  messages integer NOT NULL DEFAULT 1 CHECK (messages IN (0, 1)),
  sms_refused text
);

CREATE TABLE agents (
  $id,
  partner_agent_id text NOT NULL UNIQUE,
  name text NOT NULL,
  phone text NOT NULL,
  created_at bigint NOT NULL
);

CREATE TABLE sessions (
  token_hash text PRIMARY KEY NOT NULL,
  id text NOT NULL,
  role text NOT NULL $word(role_words),
  subject_id bigint NOT NULL,
  device text NOT NULL,
  created_at bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  idle_until bigint NOT NULL,
  ends_at bigint NOT NULL
);
CREATE UNIQUE INDEX sessions_id ON sessions (id);
CREATE INDEX sessions_subject ON sessions (role, subject_id);
CREATE INDEX sessions_idle ON sessions (idle_until);

CREATE TABLE otp_challenges (
  id text PRIMARY KEY NOT NULL,
  role text NOT NULL $word(role_words),
  phone text NOT NULL,
  browser_hash text NOT NULL,
  provider_ref text,
  send_id bigint NOT NULL,
  state text NOT NULL $word(challenge_state_words),
  checks integer NOT NULL CHECK (checks >= 0),
  uncertain_checks integer NOT NULL DEFAULT 0 CHECK (uncertain_checks >= 0),
  sent_at bigint NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX otp_challenges_live ON otp_challenges (role, phone, browser_hash, sent_at);
CREATE INDEX otp_challenges_browser ON otp_challenges (browser_hash);
CREATE INDEX otp_challenges_expires ON otp_challenges (expires_at);

CREATE TABLE otp_counters (
  role text NOT NULL $word(role_words),
  phone text NOT NULL,
  touched_at bigint NOT NULL,
  consecutive_failures integer NOT NULL DEFAULT 0,
  known_consecutive_failures integer NOT NULL DEFAULT 0,
  PRIMARY KEY (role, phone)
);
CREATE INDEX otp_counters_idle ON otp_counters (touched_at)
  WHERE consecutive_failures = 0 AND known_consecutive_failures = 0;
CREATE INDEX otp_counters_wrong ON otp_counters (touched_at)
  WHERE consecutive_failures > 0 OR known_consecutive_failures > 0;

CREATE TABLE otp_events (
  $id,
  kind text NOT NULL $word(code_event_words),
  role text NOT NULL $word(role_words),
  phone text NOT NULL,
  prefix text NOT NULL,
  country text NOT NULL,
  address text NOT NULL,
  trust text NOT NULL $word(device_trust_words),
  at bigint NOT NULL,
  outcome text NOT NULL $word(code_outcome_words)
);
CREATE INDEX otp_events_phone ON otp_events (role, phone, at);
CREATE INDEX otp_events_prefix ON otp_events (prefix, outcome, at);
CREATE INDEX otp_events_country ON otp_events (country, outcome, at);
CREATE INDEX otp_events_address ON otp_events (address, outcome, at);
CREATE INDEX otp_events_all ON otp_events (outcome, at);
CREATE INDEX otp_events_at ON otp_events (at);

CREATE TABLE otp_devices (
  token_hash text NOT NULL,
  role text NOT NULL $word(role_words),
  phone text NOT NULL,
  created_at bigint NOT NULL,
  used_at bigint NOT NULL,
  PRIMARY KEY (token_hash, role, phone)
);
CREATE INDEX otp_devices_phone ON otp_devices (role, phone);
CREATE INDEX otp_devices_used ON otp_devices (used_at);

CREATE TABLE partner_lists (
  kind text PRIMARY KEY NOT NULL,
  body text NOT NULL,
  fetched_at bigint NOT NULL,
  halved_since bigint
);

CREATE TABLE orders (
  $id,
  user_id bigint NOT NULL REFERENCES users (id),
  type text NOT NULL $word(order_type_words),
  status text NOT NULL $word(order_status_words),
  amount_halalas bigint NOT NULL CHECK (amount_halalas > 0),
  currency text NOT NULL,
  agent_code text NOT NULL,
  center_code text NOT NULL,
  transaction_id text,
  created_at bigint NOT NULL,
  paid_at bigint,
  cancelled_at bigint,
  handed_over text NOT NULL DEFAULT 'none' $word(hand_over_words)
);
CREATE INDEX orders_user ON orders (user_id, id);
CREATE INDEX orders_agent_list ON orders (agent_code, status, handed_over, id) WHERE paid_at IS NOT NULL;
CREATE INDEX orders_unpaid ON orders (created_at) WHERE status = 'PENDING_PAYMENT';
CREATE INDEX orders_expired ON orders (created_at, id) WHERE status = 'EXPIRED';
CREATE INDEX orders_cancelled ON orders (created_at, id) WHERE status = 'CANCELLED';

CREATE TABLE bookings (
  $id,
  order_id bigint NOT NULL REFERENCES orders (id),
  leg integer NOT NULL CHECK (leg >= 0),
  reference text NOT NULL UNIQUE,
  origin text NOT NULL,
  destination text NOT NULL,
  receiver text,
  awb text UNIQUE,
  state text NOT NULL $word(booking_state_words),
  travel_state text $word(travel_state_words),
  last_event_at bigint,
  $work,
  uncertain_until bigint NOT NULL DEFAULT 0,
  creations integer NOT NULL DEFAULT 0 CHECK (creations >= 0),
  creations_allowed integer NOT NULL DEFAULT 2,
  stopped_at bigint,
  UNIQUE (order_id, leg)
);
CREATE INDEX bookings_due ON bookings (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX bookings_leased ON bookings (leased_until) WHERE lease IS NOT NULL;
CREATE INDEX bookings_stopped ON bookings (stopped_at) WHERE stopped_at IS NOT NULL;

CREATE TABLE labels (
  booking_id bigint PRIMARY KEY NOT NULL REFERENCES bookings (id),
  pdf $bytes NOT NULL,
  stored_at bigint NOT NULL
);
CREATE INDEX labels_age ON labels (stored_at);

CREATE TABLE booking_events (
  $id,
  booking_id bigint NOT NULL REFERENCES bookings (id),
  event_key text NOT NULL,
  kind text NOT NULL $word(booking_event_words),
  source text NOT NULL $word(booking_event_source_words),
  at bigint NOT NULL,
  recorded_at bigint NOT NULL,
  place text,
  code text,
  text text,
  UNIQUE (booking_id, event_key)
);

CREATE TABLE handover_scans (
  agent_code text NOT NULL,
  key text NOT NULL,
  body_hash text NOT NULL,
  booking_id bigint NOT NULL REFERENCES bookings (id),
  outcome text NOT NULL $word(scan_outcome_words),
  at bigint NOT NULL,
  recorded_at bigint NOT NULL,
  PRIMARY KEY (agent_code, key)
);
CREATE INDEX handover_scans_booking ON handover_scans (booking_id);
CREATE INDEX handover_scans_age ON handover_scans (recorded_at);

CREATE TABLE tracked_bookings (
  booking_id bigint PRIMARY KEY NOT NULL REFERENCES bookings (id),
  awb text NOT NULL,
  tracked_until bigint NOT NULL,
  $work,
  silent_polls integer NOT NULL CHECK (silent_polls >= 0),
  seen text,
  heard_at bigint
);
CREATE INDEX tracked_bookings_due ON tracked_bookings (due_at, booking_id) WHERE due_at IS NOT NULL;
CREATE INDEX tracked_bookings_heard ON tracked_bookings (heard_at, booking_id) WHERE heard_at IS NOT NULL;
CREATE INDEX tracked_bookings_leased ON tracked_bookings (leased_until) WHERE lease IS NOT NULL;

CREATE TABLE scan_alerts (
  $id,
  booking_id bigint NOT NULL REFERENCES bookings (id),
  event_key text NOT NULL,
  kind text NOT NULL $word(scan_alert_words),
  code text NOT NULL,
  text text,
  place text,
  at bigint NOT NULL,
  noticed_at bigint NOT NULL,
  closed_at bigint,
  UNIQUE (booking_id, event_key, kind)
);
CREATE INDEX scan_alerts_open ON scan_alerts (noticed_at, id) WHERE closed_at IS NULL;

CREATE TABLE scan_texts (code text PRIMARY KEY NOT NULL, ar text, en text, fetched_at bigint NOT NULL);

CREATE TABLE idempotency_keys (
  user_id bigint NOT NULL REFERENCES users (id),
  key text NOT NULL,
  body_hash text NOT NULL,
  order_id bigint NOT NULL REFERENCES orders (id),
  created_at bigint NOT NULL,
  PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_keys_order ON idempotency_keys (order_id);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

CREATE TABLE payment_attempts (
  $id,
  order_id bigint NOT NULL REFERENCES orders (id),
  reference text NOT NULL UNIQUE,
  amount_halalas bigint NOT NULL CHECK (amount_halalas > 0),
  currency text NOT NULL,
  state text NOT NULL $word(attempt_state_words),
  intention_id text UNIQUE,
  provider_order_id bigint UNIQUE,
  client_secret text,
  created_at bigint NOT NULL,
  secret_until bigint NOT NULL,
  inquired_at bigint NOT NULL,
  $work,
  inquiry_step integer NOT NULL DEFAULT 0 CHECK (inquiry_step >= 0)
);
CREATE INDEX payment_attempts_order ON payment_attempts (order_id, id);
-- docs/wires/payment.md R2: at most one attempt of an order is alive.
CREATE UNIQUE INDEX payment_attempts_alive ON payment_attempts (order_id)
  WHERE state IN ('creating', 'open', 'unknown');
CREATE INDEX payment_attempts_due ON payment_attempts (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX payment_attempts_leased ON payment_attempts (leased_until) WHERE lease IS NOT NULL;

-- Amounts as the provider reports them: a strange one is stored, too.
CREATE TABLE payment_events (
  $id,
  transaction_id text NOT NULL,
  kind text NOT NULL $word(payment_event_words),
  attempt_id bigint REFERENCES payment_attempts (id),
  source text NOT NULL $word(payment_event_source_words),
  outcome text NOT NULL $word(payment_outcome_words),
  amount_halalas bigint NOT NULL,
  currency text NOT NULL,
  body text NOT NULL,
  received_at bigint NOT NULL,
  UNIQUE (transaction_id, kind)
);
CREATE INDEX payment_events_attempt ON payment_events (attempt_id, id);

-- One whole refund for each transaction: the sum of refunds can never exceed what was captured.
CREATE TABLE refunds (
  $id,
  transaction_id text NOT NULL UNIQUE,
  attempt_id bigint NOT NULL REFERENCES payment_attempts (id),
  amount_halalas bigint NOT NULL CHECK (amount_halalas >= 0),
  currency text NOT NULL,
  reason text NOT NULL $word(refund_reason_words),
  state text NOT NULL $word(refund_state_words),
  $work,
  created_at bigint NOT NULL,
  asked_at bigint,
  done_at bigint
);
CREATE INDEX refunds_attempt ON refunds (attempt_id);
CREATE INDEX refunds_due ON refunds (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX refunds_leased ON refunds (leased_until) WHERE lease IS NOT NULL;
CREATE INDEX refunds_open ON refunds (created_at) WHERE state != 'done';

CREATE TABLE receipts (
  number $integer PRIMARY KEY NOT NULL,
  kind text NOT NULL $word(receipt_words),
  order_id bigint NOT NULL REFERENCES orders (id),
  transaction_id text NOT NULL,
  corrects bigint,
  reason text,
  amount_halalas bigint NOT NULL CHECK (amount_halalas >= 0),
  returned_halalas bigint NOT NULL CHECK (returned_halalas >= 0),
  issued_at bigint NOT NULL,
  uuid text NOT NULL UNIQUE,
  document text NOT NULL
);
CREATE UNIQUE INDEX receipts_once_per_payment ON receipts (order_id, transaction_id, returned_halalas);
CREATE INDEX receipts_issued ON receipts (issued_at);
CREATE INDEX receipts_unwritten ON receipts (number) WHERE document = '';

CREATE TABLE receipt_counters (
  id integer PRIMARY KEY NOT NULL,
  last_number bigint NOT NULL CHECK (last_number >= 0)
);

CREATE TABLE receipt_gaps (
  first_number bigint PRIMARY KEY NOT NULL,
  last_number bigint NOT NULL,
  recorded_at bigint NOT NULL,
  CHECK (last_number >= first_number)
);

CREATE TABLE messages (
  $id,
  user_id bigint NOT NULL REFERENCES users (id),
  order_id bigint NOT NULL,
  booking_id bigint NOT NULL DEFAULT 0,
  refund_id bigint NOT NULL DEFAULT 0,
  kind text NOT NULL $word(message_words),
  phone text NOT NULL,
  body text NOT NULL,
  state text NOT NULL $word(message_state_words),
  push text $word(push_state_words),
  $work,
  sends integer NOT NULL DEFAULT 0 CHECK (sends >= 0),
  asked_at bigint,
  ref text,
  former_ref text,
  status_rank integer NOT NULL DEFAULT 0,
  checks integer NOT NULL DEFAULT 0 CHECK (checks >= 0),
  retried integer NOT NULL DEFAULT 0 CHECK (retried >= 0),
  held_until bigint,
  created_at bigint NOT NULL,
  ended_at bigint
);
CREATE UNIQUE INDEX messages_event ON messages (order_id, booking_id, kind, refund_id);
CREATE INDEX messages_user ON messages (user_id, id);
CREATE INDEX messages_age ON messages (created_at);
CREATE INDEX messages_asked ON messages (asked_at);
CREATE INDEX messages_due ON messages (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX messages_leased ON messages (leased_until) WHERE lease IS NOT NULL;
CREATE INDEX messages_unsent ON messages (created_at) WHERE state = 'waiting' OR state = 'uncertain';
CREATE INDEX messages_not_sent ON messages (created_at) WHERE state = 'failed' OR state = 'dropped';

CREATE TABLE message_restores ($id, first_order bigint NOT NULL, since bigint NOT NULL);

CREATE TABLE push_subscriptions (
  endpoint text PRIMARY KEY NOT NULL,
  user_id bigint NOT NULL REFERENCES users (id),
  session_hash text NOT NULL REFERENCES sessions (token_hash) ON DELETE CASCADE,
  p256dh text NOT NULL,
  auth text NOT NULL,
  server_key text NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id, created_at);
CREATE INDEX push_subscriptions_session ON push_subscriptions (session_hash);

CREATE TABLE order_shares (
  order_id bigint PRIMARY KEY NOT NULL REFERENCES orders (id),
  token_hash text NOT NULL UNIQUE,
  created_at bigint NOT NULL
);
CREATE INDEX order_shares_created ON order_shares (created_at);

CREATE TABLE operator_actions (
  $id,
  at bigint NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  order_id bigint,
  user_id bigint,
  subject text,
  reason text,
  before text NOT NULL,
  after text NOT NULL
);
CREATE INDEX operator_actions_at ON operator_actions (at);
CREATE INDEX operator_actions_order ON operator_actions (order_id, id) WHERE order_id IS NOT NULL;
CREATE INDEX operator_actions_user ON operator_actions (user_id, id) WHERE user_id IS NOT NULL;

CREATE TABLE paused_workers (name text PRIMARY KEY NOT NULL, paused_at bigint NOT NULL);
`

const work = `due_at bigint,
  lease text,
  leased_until bigint NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
  last_error text`

/** How each engine writes what differs. SQLite gives numbers only through `integer primary key`. */
const dialects = {
  sqlite: {
    $id: 'id integer PRIMARY KEY AUTOINCREMENT NOT NULL',
    $integer: 'integer',
    $bytes: 'blob',
  },
  postgres: {
    $id: 'id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY',
    $integer: 'bigint',
    $bytes: 'bytea',
  },
} as const

/** Every table, from sign-in to the operators' log. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(kysely)
  for (const [table, list] of Object.entries(words)) {
    await run(`CREATE TABLE ${table} (word text PRIMARY KEY NOT NULL)`)
    const rows = list.split(' ').map((word) => `('${word}')`)
    await run(`INSERT INTO ${table} (word) VALUES ${rows.join(', ')}`)
  }
  const { $id, $integer, $bytes } = dialects[engine]
  const statements = tables
    .replaceAll('$work', work)
    .replaceAll('$id', $id)
    .replaceAll('$integer', $integer)
    .replaceAll('$bytes', $bytes)
    .replaceAll(/\$word\((\w+)\)/g, 'REFERENCES $1 (word)')
    .split(/;\n/)
  for (const statement of statements.map((text) => text.trim()).filter(Boolean)) await run(statement)
}
