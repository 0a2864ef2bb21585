/** Leaves a trace for whoever opens the console, where the person needs no message (spec §8: logout, checkout). */
export function logFailure(event: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the one place that writes to the console
  console.warn(event, error)
}
