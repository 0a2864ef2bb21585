/** Logs a failure to the console only (spec §8: logout, checkout). */
export function logFailure(event: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the one place that writes to the console
  console.warn(event, error)
}
