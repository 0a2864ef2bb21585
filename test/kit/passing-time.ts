import type { Rows } from './rows.ts'
import type { Stack } from './stack.ts'

/**
 * Simulates that time has passed for sign-in, at the gateway and at the OTP service. The gateway reads the real clock,
 * so the stored times are moved back.
 */
export async function passTime(stack: Stack, rows: Rows, ms: number): Promise<void> {
  await rows.ask`update otp_events set at = at - ${ms}`
  await rows.ask`update otp_challenges set sent_at = sent_at - ${ms}, expires_at = expires_at - ${ms}`
  await rows.ask`update otp_counters set touched_at = touched_at - ${ms}`
  await rows.ask`update otp_devices set used_at = used_at - ${ms}`
  await stack.control.advanceClock(ms)
}

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour
