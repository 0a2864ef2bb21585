import { sql } from 'kysely'

/** These refunds were written off, although the owner of a cancelled order still waits for them. */
export const owedRefunds = sql<number>`(SELECT lost.id FROM refunds AS lost
  JOIN payment_attempts AS own ON own.id = lost.attempt_id JOIN orders ON orders.id = own.order_id
  WHERE lost.written_off_at IS NOT NULL AND orders.payment = 'paid' AND orders.ended = 'cancelled'
    AND orders.transaction_id = lost.transaction_id
    AND NOT EXISTS (SELECT 1 FROM refunds AS later WHERE later.transaction_id = lost.transaction_id
      AND later.id > lost.id AND (later.state != 'done' OR later.written_off_at IS NOT NULL)))`

export const needsPerson = (orderedBy: number) => sql<boolean>`refunds.id IN (
  SELECT late.id FROM refunds AS late WHERE late.state != 'done' AND late.created_at <= ${orderedBy}
  UNION ALL SELECT id FROM ${owedRefunds} AS owed)`

export const isOwed = sql<boolean>`refunds.id IN ${owedRefunds}`
