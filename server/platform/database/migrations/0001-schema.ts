import { agentSearch } from '../agent-search.ts'
import { isUnresolved, triggerStatements, triggers } from '../change-notices.ts'
import type { Engine } from '../database.ts'
import { phoneEndOf, postgresSearchText, searchedNames, searchText } from '../search-text.ts'

/**
 * Each list of words becomes a table to which columns refer. The code has the same lists
 * (server/platform/database/words.test.ts compares them).
 */
const words = {
  role_words: 'user agent confirm email recovery',
  order_type_words: 'TO_MINA FROM_MINA TO_AND_FROM_MINA',
  order_payment_words: 'unpaid paid returned',
  order_end_words: 'expired cancelled',
  hand_over_words: 'none some all void',
  booking_state_words: 'none waiting labelling issued canceled',
  carriage_words: 'none awaiting-label ready received moving at-branch exception collected void',
  scan_outcome_words: 'received already-received refused not-accepted',
  scan_alert_words: 'damaged destroyed missing cancelled returning contradiction future-time not-of-this-bag',
  attempt_state_words: 'creating open unknown superseded failed succeeded',
  payment_event_words: 'pending succeeded failed refunded voided captured',
  payment_event_source_words: 'callback inquiry',
  payment_outcome_words: `applied noted second-payment owner-deleted order-cancelled amount-mismatch reference-mismatch
    unknown-order partial-refund`,
  refund_state_words: 'due uncertain asked done',
  refund_reason_words: 'wrong-amount second-payment owner-deleted cancelled operator',
  receipt_words: 'receipt invoice refund-receipt credit-note',
  message_words: `paid handed-over at-branch collected refunded refund-failed exception cancelled wrong-amount claim-answered
    claim-closed claim-late claim-opened claim-question documents email-added-letter email-changed
    email-changed-letter label-issued late number-changed number-changed-letter number-waits number-waits-letter
    receiver-at-branch receiver-changed receiver-changed-letter receiver-named`,
  message_recipient_words: 'owner receiver agent',
  message_channel_words: 'sms mail',
  message_state_words: 'waiting uncertain accepted delivered failed dropped',
  push_state_words: 'asked accepted failed',
  challenge_state_words: 'sent proven spent',
  code_event_words: 'send check',
  code_outcome_words: 'unanswered answered refused failed wrong right blocked',
  device_trust_words: 'open known session',
  approval_act_words: 'refund write-off reissue receiver compensation cancel number end-sessions',
  approval_state_words: 'waiting approved refused overtaken expired alone',
  claim_kind_words: 'late lost damaged missing wrong-branch other',
  claim_outcome_words: 'delivered found compensated refused withdrawn',
  claim_state_words: 'OPEN ANSWERED CLOSED',
  code_channel_words: 'sms whatsapp call email',
  code_delivery_words: 'delivered undelivered unknown',
  confirmation_purpose_words: 'email email-removal export deletion session',
  mode_words: 'demo live',
  number_change_words: 'waiting taken cancelled replaced',
  stop_words: 'all agent branch city',
} as const

/**
 * SQLite does not check these words, because it cannot change a CHECK. They have no tables, so that storing an event
 * reads no table of words.
 */
export const checkedWords = {
  kind: `order-created order-expired order-cancelled payment-opened payment-failed payment-noted paid refund-ordered
    refund-withdrawn refund-requested refund-doubtful refund-refused refunded refund-written-off receipt-issued
    label-requested label-refused label-escalated label-permitted label-issued received undone not-accepted scan
    bag-alert arrival-expected bag-void bag-valid receiver-changed link-created link-ended claim-opened claim-message claim-answered
    claim-question claim-passed-on claim-partner-answered claim-late claim-closed account-changed account-deleted
    compensated note inquired refund-retried message-asked bag-checked photo-added work-taken work-handed
    work-released work-settled approval-requested approval-confirmed approval-decided approval-expired order-viewed
    claim-viewed photo-viewed person-viewed orders-listed searched disclosed exported view-refused signed-in
    signed-in-again sign-in-refused signed-out phone-unlocked device-admitted sessions-ended all-sessions-ended
    stops-changed list-accepted worker-paused worker-resumed mode-set data-deleted`,
  actor_kind: 'owner agent staff operator courier provider receiver system',
} as const

/**
 * `$id`: an id that is never given again; `$word(<table>)`: a word of that table; `$oneOf(<column>)`: one of
 * `checkedWords`; `$work`: the columns of leases.ts; `$end(<column>)`: the last four digits of a phone.
 */
const tables = `
-- The steps that made this schema, the hash of their statements, and whether earlier builds work with them.
CREATE TABLE schema_steps (
  step text PRIMARY KEY NOT NULL,
  hash text NOT NULL,
  additive integer NOT NULL CHECK (additive IN (0, 1))
);

CREATE TABLE liveness (id integer PRIMARY KEY NOT NULL, writes bigint NOT NULL);

CREATE TABLE users (
  $id,
  phone text NOT NULL UNIQUE,
  name text NOT NULL,
  created_at bigint NOT NULL,
  deleted_at bigint,
  language text,
  messages integer NOT NULL DEFAULT 1 CHECK (messages IN (0, 1)),
  sms_refused text,
  email text,
  email_recovers_from bigint NOT NULL DEFAULT 0,
  email_refused_until bigint NOT NULL DEFAULT 0
);

CREATE UNIQUE INDEX users_email ON users (email) WHERE email IS NOT NULL;
CREATE INDEX users_phone_end ON users ($end(phone), id) WHERE deleted_at IS NULL;

-- Accounts that the desk moves to another number. The new number is kept only while the change waits.
CREATE TABLE number_changes (
  $id,
  user_id bigint NOT NULL REFERENCES users (id),
  state text NOT NULL $word(number_change_words),
  former_phone text NOT NULL,
  phone text,
  approved_at bigint NOT NULL,
  takes_from bigint NOT NULL,
  ends_at bigint NOT NULL,
  ended_at bigint
);
CREATE UNIQUE INDEX number_changes_waiting ON number_changes (user_id) WHERE state = 'waiting';
CREATE UNIQUE INDEX number_changes_phone ON number_changes (phone) WHERE state = 'waiting';
CREATE INDEX number_changes_user ON number_changes (user_id, id);
CREATE INDEX number_changes_end ON number_changes (ends_at);

-- Owners of e-mail addresses who refused the account that had added their address.
CREATE TABLE email_stops (
  token_hash text PRIMARY KEY NOT NULL,
  user_id bigint NOT NULL REFERENCES users (id),
  email text NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX email_stops_user ON email_stops (user_id);
CREATE INDEX email_stops_age ON email_stops (expires_at);

CREATE TABLE agents (
  $id,
  partner_agent_id text NOT NULL UNIQUE,
  name text NOT NULL,
  phone text NOT NULL,
  created_at bigint NOT NULL
);

-- Agents whose number has used up the codes of a day.
CREATE TABLE agent_alerts (
  $id,
  phone text NOT NULL,
  partner_agent_id text NOT NULL,
  name text NOT NULL,
  wrong_codes bigint NOT NULL,
  sends bigint NOT NULL,
  noticed_at bigint NOT NULL,
  ends_at bigint NOT NULL
);
CREATE UNIQUE INDEX agent_alerts_phone ON agent_alerts (phone);
CREATE INDEX agent_alerts_end ON agent_alerts (ends_at);

-- Browsers that show a pairing number.
CREATE TABLE agent_pairings (
  browser_hash text NOT NULL,
  phone text NOT NULL,
  pairing text NOT NULL,
  address text NOT NULL,
  shown_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  opened_at bigint,
  PRIMARY KEY (browser_hash, phone)
);
CREATE UNIQUE INDEX agent_pairings_number ON agent_pairings (phone, pairing);
CREATE INDEX agent_pairings_address ON agent_pairings (phone, address, shown_at);
CREATE INDEX agent_pairings_end ON agent_pairings (expires_at);

CREATE TABLE sessions (
  token_hash text PRIMARY KEY NOT NULL,
  id text NOT NULL,
  role text NOT NULL $word(role_words),
  subject_id bigint NOT NULL,
  device text NOT NULL,
  created_at bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  idle_until bigint NOT NULL,
  ends_at bigint NOT NULL,
  wrong_confirmations integer NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX sessions_id ON sessions (id);
CREATE INDEX sessions_subject ON sessions (role, subject_id);
CREATE INDEX sessions_idle ON sessions (idle_until);

-- Requests that a signed-in user confirms with a code.
CREATE TABLE confirmations (
  session_hash text NOT NULL REFERENCES sessions (token_hash) ON DELETE CASCADE,
  purpose text NOT NULL $word(confirmation_purpose_words),
  browser_hash text NOT NULL,
  challenge_id text NOT NULL,
  asked_at bigint NOT NULL,
  confirmed_until bigint,
  PRIMARY KEY (session_hash, purpose)
);
CREATE INDEX confirmations_age ON confirmations (asked_at);

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
  expires_at bigint NOT NULL,
  channel text $word(code_channel_words),
  delivery text $word(code_delivery_words),
  email text,
  new_phone text
);
CREATE INDEX otp_challenges_live ON otp_challenges (role, phone, browser_hash, sent_at);
CREATE INDEX otp_challenges_browser ON otp_challenges (browser_hash, sent_at);
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
  outcome text NOT NULL $word(code_outcome_words),
  channel text $word(code_channel_words)
);
CREATE INDEX otp_events_phone ON otp_events (role, phone, at);
CREATE INDEX otp_events_prefix ON otp_events (prefix, trust, outcome, at);
CREATE INDEX otp_events_country ON otp_events (country, trust, outcome, at);
CREATE INDEX otp_events_address ON otp_events (address, trust, outcome, at);
CREATE INDEX otp_events_all ON otp_events (trust, outcome, at);
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

-- Stops of selling. Only its end is ever written into a row: the rows are the history.
CREATE TABLE stops (
  $id,
  what text NOT NULL $word(stop_words),
  code text,
  from_at bigint NOT NULL,
  until_at bigint,
  text_ar text NOT NULL,
  text_en text NOT NULL,
  set_at bigint NOT NULL,
  set_by text NOT NULL,
  reason text NOT NULL,
  ended_at bigint,
  ended_by text,
  ended_because text
);
CREATE INDEX stops_ended ON stops (ended_at);

CREATE TABLE terms (
  version text PRIMARY KEY NOT NULL,
  body text NOT NULL,
  since bigint NOT NULL
);

CREATE TABLE orders (
  $id,
  user_id bigint NOT NULL REFERENCES users (id),
  type text NOT NULL $word(order_type_words),
  payment text NOT NULL $word(order_payment_words),
  ended text $word(order_end_words),
  ended_at bigint,
  amount_halalas bigint NOT NULL CHECK (amount_halalas > 0),
  currency text NOT NULL,
  agent_code text NOT NULL,
  center_code text NOT NULL,
  transaction_id text,
  created_at bigint NOT NULL,
  paid_at bigint,
  handed_over text NOT NULL DEFAULT 'none' $word(hand_over_words),
  terms_version text REFERENCES terms (version),
  terms_language text,
  search_text text,
  CHECK ((ended IS NULL) = (ended_at IS NULL))
);
CREATE INDEX orders_user ON orders (user_id, id);
CREATE INDEX orders_agent_list ON orders (agent_code, handed_over, id) WHERE paid_at IS NOT NULL;
CREATE INDEX orders_unpaid ON orders (created_at, id) WHERE payment = 'unpaid' AND ended IS NULL;
CREATE INDEX orders_never_paid ON orders (created_at, id) WHERE payment = 'unpaid' AND ended IS NOT NULL;
CREATE INDEX orders_cancelled ON orders (created_at, id) WHERE ended = 'cancelled';
CREATE INDEX orders_returned ON orders (created_at, id) WHERE payment = 'returned';
CREATE INDEX orders_created ON orders (created_at, id);
CREATE INDEX orders_agent_created ON orders (agent_code, created_at, id);
CREATE INDEX orders_center_created ON orders (center_code, created_at, id);

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
  carriage text NOT NULL DEFAULT 'none' $word(carriage_words),
  last_event_at bigint,
  $work,
  uncertain_until bigint NOT NULL DEFAULT 0,
  creations integer NOT NULL DEFAULT 0 CHECK (creations >= 0),
  creations_allowed integer NOT NULL DEFAULT 2,
  stopped_at bigint,
  receiver_name text,
  receiver_phone text,
  second_phone text,
  requested_at bigint,
  issued_at bigint,
  UNIQUE (order_id, leg)
);
CREATE INDEX bookings_due ON bookings (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX bookings_leased ON bookings (leased_until) WHERE lease IS NOT NULL;
CREATE INDEX bookings_stopped ON bookings (stopped_at) WHERE stopped_at IS NOT NULL;
CREATE INDEX bookings_receivers ON bookings (order_id) WHERE receiver_name IS NOT NULL OR second_phone IS NOT NULL;
CREATE INDEX bookings_receiver_phone_end ON bookings ($end(receiver_phone), id) WHERE receiver_phone IS NOT NULL;
CREATE INDEX bookings_second_phone_end ON bookings ($end(second_phone), id) WHERE second_phone IS NOT NULL;

CREATE TABLE labels (
  booking_id bigint PRIMARY KEY NOT NULL REFERENCES bookings (id),
  pdf $bytes NOT NULL,
  stored_at bigint NOT NULL
);
CREATE INDEX labels_age ON labels (stored_at);

-- What happened. An event may outlive its order, so that no id refers to a row.
CREATE TABLE events (
  $id,
  kind text NOT NULL $oneOf(kind),
  key text,
  order_id bigint,
  booking_id bigint,
  claim_id bigint,
  user_id bigint,
  at bigint NOT NULL,
  recorded_at bigint NOT NULL,
  actor_kind text NOT NULL $oneOf(actor_kind),
  actor_issuer text,
  actor_subject text,
  actor_name text,
  actor_roles text,
  data text NOT NULL
);
CREATE UNIQUE INDEX events_key ON events (booking_id, key) WHERE key IS NOT NULL;
CREATE INDEX events_order ON events (order_id, id) WHERE order_id IS NOT NULL;
CREATE INDEX events_booking ON events (booking_id, id) WHERE booking_id IS NOT NULL;
CREATE INDEX events_claim ON events (claim_id, id) WHERE claim_id IS NOT NULL;
CREATE INDEX events_user ON events (user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX events_words ON events (kind, recorded_at)
  WHERE kind IN ('not-accepted', 'label-refused', 'payment-failed', 'refund-refused', 'account-changed')
    AND data LIKE '%"personal":{%';
CREATE INDEX events_acts_age ON events (recorded_at)
  WHERE actor_kind IN ('staff', 'operator') AND actor_name IS NOT NULL;
CREATE INDEX events_actor ON events (actor_issuer, actor_subject, kind, id) WHERE actor_subject IS NOT NULL;
CREATE INDEX events_person ON events (actor_issuer, actor_subject, id) WHERE actor_subject IS NOT NULL;
CREATE INDEX events_acts ON events (id) WHERE actor_kind IN ('staff', 'operator');
CREATE INDEX events_act_kinds ON events (kind, id) WHERE actor_kind IN ('staff', 'operator');

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
  heard_at bigint,
  checked_at bigint
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

-- Amounts as the provider reports them, wrong ones too.
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
  seen_at bigint,
  UNIQUE (transaction_id, kind)
);
CREATE INDEX payment_events_attempt ON payment_events (attempt_id, id);
CREATE INDEX payment_events_unseen ON payment_events (received_at, id)
  WHERE seen_at IS NULL AND ($unresolved);

-- Money that the provider counts on an attempt, although it has reported no payment of it.
CREATE TABLE payment_findings (
  $id,
  attempt_id bigint NOT NULL REFERENCES payment_attempts (id) ON DELETE CASCADE,
  amount_halalas bigint NOT NULL,
  noticed_at bigint NOT NULL,
  closed_at bigint,
  agreed_at bigint
);
CREATE UNIQUE INDEX payment_findings_attempt ON payment_findings (attempt_id) WHERE closed_at IS NULL;
CREATE INDEX payment_findings_of ON payment_findings (attempt_id);
CREATE INDEX payment_findings_open ON payment_findings (noticed_at, id) WHERE closed_at IS NULL;
CREATE INDEX payment_findings_closed ON payment_findings (closed_at) WHERE closed_at IS NOT NULL;

-- The refunds of a transaction never exceed what was captured: at most one is open, and a new one is ordered under a lock.
CREATE TABLE refunds (
  $id,
  transaction_id text NOT NULL,
  attempt_id bigint NOT NULL REFERENCES payment_attempts (id),
  amount_halalas bigint NOT NULL CHECK (amount_halalas >= 0),
  currency text NOT NULL,
  reason text NOT NULL $word(refund_reason_words),
  state text NOT NULL $word(refund_state_words),
  $work,
  created_at bigint NOT NULL,
  asked_at bigint,
  done_at bigint,
  written_off_at bigint,
  refused_at bigint
);
CREATE INDEX refunds_attempt ON refunds (attempt_id);
CREATE INDEX refunds_transaction ON refunds (transaction_id);
CREATE UNIQUE INDEX refunds_open_once ON refunds (transaction_id) WHERE state != 'done';
CREATE INDEX refunds_due ON refunds (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX refunds_leased ON refunds (leased_until) WHERE lease IS NOT NULL;
CREATE INDEX refunds_open ON refunds (created_at) WHERE state != 'done';
CREATE INDEX refunds_written_off ON refunds (attempt_id) WHERE written_off_at IS NOT NULL;

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
  event_id bigint NOT NULL,
  reported_event_id bigint NOT NULL,
  recipient text NOT NULL $word(message_recipient_words),
  channel text NOT NULL $word(message_channel_words),
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
  ended_at bigint,
  seen_at bigint
);
CREATE UNIQUE INDEX messages_event ON messages (event_id, recipient, channel);
CREATE INDEX messages_order ON messages (order_id, booking_id, kind);
CREATE INDEX messages_user ON messages (user_id, id);
CREATE INDEX messages_age ON messages (created_at);
CREATE INDEX messages_asked ON messages (asked_at);
CREATE INDEX messages_due ON messages (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX messages_leased ON messages (leased_until) WHERE lease IS NOT NULL;
CREATE INDEX messages_unsent ON messages (created_at, held_until) WHERE state = 'waiting' OR state = 'uncertain';
CREATE INDEX messages_not_sent ON messages (created_at) WHERE state = 'failed' OR state = 'dropped';
CREATE INDEX messages_failed ON messages (ended_at, id)
  WHERE seen_at IS NULL AND (state = 'failed' OR (state = 'dropped' AND last_error = 'too late'));
CREATE INDEX messages_receivers ON messages (phone, id)
  WHERE kind = 'receiver-named' OR kind = 'receiver-at-branch';
CREATE INDEX messages_texts ON messages (created_at) WHERE phone <> '' OR body <> '';

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

CREATE TABLE claims (
  $id,
  user_id bigint NOT NULL REFERENCES users (id),
  order_id bigint NOT NULL REFERENCES orders (id),
  booking_id bigint NOT NULL REFERENCES bookings (id),
  kind text NOT NULL $word(claim_kind_words),
  state text NOT NULL $word(claim_state_words),
  outcome text $word(claim_outcome_words),
  idem_key text,
  body_hash text NOT NULL,
  opened_at bigint NOT NULL,
  touched_at bigint NOT NULL,
  answer_by bigint NOT NULL,
  late_since bigint,
  closed_at bigint,
  partner_case text,
  partner_notified_at bigint,
  $work
);
-- At most one open claim for each bag and kind.
CREATE UNIQUE INDEX claims_alive ON claims (booking_id, kind) WHERE state != 'CLOSED';
CREATE UNIQUE INDEX claims_key ON claims (user_id, idem_key);
CREATE INDEX claims_user ON claims (user_id, opened_at);
CREATE INDEX claims_order ON claims (order_id, id);
CREATE INDEX claims_booking ON claims (booking_id);
CREATE INDEX claims_open ON claims (answer_by) WHERE state = 'OPEN';
CREATE INDEX claims_touched ON claims (touched_at);
CREATE INDEX claims_due ON claims (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX claims_leased ON claims (leased_until) WHERE lease IS NOT NULL;

CREATE TABLE compensations (
  event_id bigint PRIMARY KEY NOT NULL,
  claim_id bigint NOT NULL REFERENCES claims (id),
  halalas bigint NOT NULL CHECK (halalas > 0),
  reference text
);
CREATE INDEX compensations_claim ON compensations (claim_id);

CREATE TABLE claim_photos (
  claim_id bigint NOT NULL REFERENCES claims (id),
  number integer NOT NULL CHECK (number > 0),
  jpeg $bytes NOT NULL,
  stored_at bigint NOT NULL,
  PRIMARY KEY (claim_id, number)
);
CREATE INDEX claim_photos_age ON claim_photos (stored_at);

CREATE TABLE desk_sessions (
  token_hash text PRIMARY KEY NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  sid text,
  name text NOT NULL,
  roles text NOT NULL,
  id_token text NOT NULL,
  authenticated_at bigint NOT NULL,
  created_at bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  idle_until bigint NOT NULL,
  ends_at bigint NOT NULL
);
CREATE INDEX desk_sessions_subject ON desk_sessions (issuer, subject);
CREATE INDEX desk_sessions_sid ON desk_sessions (issuer, sid);
CREATE INDEX desk_sessions_idle ON desk_sessions (idle_until);

-- Log-out tokens that were used: each counts once.
CREATE TABLE desk_logouts (token_hash text PRIMARY KEY NOT NULL, at bigint NOT NULL);
CREATE INDEX desk_logouts_at ON desk_logouts (at);

-- The requests of staff that were carried out.
CREATE TABLE desk_acts (
  issuer text NOT NULL,
  subject text NOT NULL,
  key text NOT NULL,
  body_hash text NOT NULL,
  answer text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (issuer, subject, key)
);
CREATE INDEX desk_acts_at ON desk_acts (at);

-- What one person asks for and another approves; "terminal_user" asked in the name of a colleague, who confirms it at the desk.
CREATE TABLE approvals (
  $id,
  order_id bigint REFERENCES orders (id) ON DELETE CASCADE,
  act text NOT NULL $word(approval_act_words),
  about text NOT NULL,
  halalas bigint NOT NULL,
  payload text,
  facts text NOT NULL,
  reason text NOT NULL,
  state text NOT NULL $word(approval_state_words),
  asked_at bigint NOT NULL,
  asked_issuer text NOT NULL,
  asked_subject text NOT NULL,
  asked_by text NOT NULL,
  asked_roles text,
  terminal_user text,
  confirmed_at bigint,
  expires_at bigint NOT NULL,
  decided_at bigint,
  decided_issuer text,
  decided_subject text,
  decided_by text,
  decided_roles text,
  decision text
);
CREATE UNIQUE INDEX approvals_open ON approvals (order_id, act, about) WHERE state = 'waiting';
-- For approvals without an order: in the index above NULL equals no other NULL.
CREATE UNIQUE INDEX approvals_open_alone ON approvals (act, about) WHERE state = 'waiting' AND order_id IS NULL;
CREATE INDEX approvals_waiting ON approvals (asked_at, id) WHERE state = 'waiting';
CREATE INDEX approvals_order ON approvals (order_id);
CREATE INDEX approvals_asker ON approvals (asked_issuer, asked_subject, decided_at);
CREATE INDEX approvals_asker_time ON approvals (asked_issuer, asked_subject, asked_at);
CREATE INDEX approvals_asked ON approvals (asked_at);

-- Rows of work lists that a person has taken. One row, one person.
CREATE TABLE desk_work (
  kind text NOT NULL,
  reference text NOT NULL,
  order_id bigint,
  issuer text NOT NULL,
  subject text NOT NULL,
  name text NOT NULL,
  taken_at bigint NOT NULL,
  moved_at bigint NOT NULL,
  handed_by text,
  note text,
  PRIMARY KEY (kind, reference)
);
CREATE INDEX desk_work_person ON desk_work (issuer, subject);
CREATE INDEX desk_work_moved ON desk_work (moved_at);

-- What agents and staff were shown of others within an hour, counted for all gateways together.
CREATE TABLE readings (
  reader text NOT NULL,
  about text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (reader, about)
);
CREATE INDEX readings_reader ON readings (reader, at);
CREATE INDEX readings_at ON readings (at);

CREATE TABLE paused_workers (name text PRIMARY KEY NOT NULL, paused_at bigint NOT NULL);

-- The identity of the database: written by the first start, or by "npm run ops -- adopt".
CREATE TABLE installation (
  one integer PRIMARY KEY NOT NULL CHECK (one = 1),
  id text NOT NULL,
  mode text NOT NULL $word(mode_words),
  created_at bigint NOT NULL
);
`

const work = `due_at bigint,
  lease text,
  leased_until bigint NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
  last_error text`

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

function wordStatements() {
  return Object.entries(words).flatMap(([table, list]) => {
    const rows = list.split(/\s+/).map((word) => `('${word}')`)
    return [
      `CREATE TABLE ${table} (word text PRIMARY KEY NOT NULL)`,
      `INSERT INTO ${table} (word) VALUES ${rows.join(', ')}`,
    ]
  })
}

function checkOf(engine: Engine, column: string) {
  if (engine === 'sqlite') return ''
  const list = checkedWords[column as keyof typeof checkedWords].split(/\s+/).map((word) => `'${word}'`)
  return ` CHECK (${column} IN (${list.join(', ')}))`
}

function tableStatements(engine: Engine) {
  const { $id, $integer, $bytes } = dialects[engine]
  return tables
    .replaceAll('$work', work)
    .replaceAll('$id', $id)
    .replaceAll('$integer', $integer)
    .replaceAll('$bytes', $bytes)
    .replaceAll('$unresolved', isUnresolved(''))
    .replaceAll(/ \$oneOf\((\w+)\)/g, (_, column: string) => checkOf(engine, column))
    .replaceAll(/\$word\((\w+)\)/g, 'REFERENCES $1 (word)')
    .replaceAll(/\$end\((\w+)\)/g, (_, column: string) => phoneEndOf(column))
    .split(/;\n/)
    .map((text) => text.trim())
    .filter(Boolean)
}

function postgresStatements() {
  return [
    postgresSearchText(),
    ...Object.entries(searchedNames).map(
      ([table, column]) =>
        `CREATE INDEX ${table}_search ON ${table} USING gin (${searchText}(${column}) gin_trgm_ops) WHERE ${column} <> ''`,
    ),
    // With `fastupdate` each search would read a list of pending rows.
    'CREATE INDEX orders_search ON orders USING gin (search_text gin_trgm_ops) WITH (fastupdate = off)',
    ...triggerStatements(triggers),
  ]
}

export const isAdditive = false

export const statementsOf = (engine: Engine): readonly string[] => [
  ...wordStatements(),
  ...tableStatements(engine),
  ...(engine === 'postgres' ? postgresStatements() : []),
  ...agentSearch(engine),
]
