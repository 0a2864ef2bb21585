/**
 * The simulator's mail server listens beside its HTTP port, so that two stacks on one machine differ by that port
 * only. 0: any free port.
 */
export const mailPortOf = (simulatorPort: number): number =>
  simulatorPort === 0 ? 0 : (simulatorPort + 25) % 65_536
