/**
 * The simulator's mail server listens beside its HTTP port: two stacks on one machine differ by that port alone. 0: any port
 * that is free.
 */
export const mailPortOf = (simulatorPort: number): number =>
  simulatorPort === 0 ? 0 : (simulatorPort + 25) % 65_536
